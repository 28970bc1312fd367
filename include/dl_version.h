/* SPDX-License-Identifier: MIT */
/* The version of DL's headers. While the major version is 0, a new minor version may
 * break programs; later only a new major version may. */
#ifndef DL_VERSION_H
#define DL_VERSION_H

#define DL_VERSION_MAJOR 0
#define DL_VERSION_MINOR 1
#define DL_VERSION_PATCH 0

/* As one number, to compare. */
#define DL_VERSION_NUMBER_OF(major, minor, patch)                                        \
    ((major)*1000000 + (minor)*1000 + (patch))
#define DL_VERSION_NUMBER                                                                \
    DL_VERSION_NUMBER_OF(DL_VERSION_MAJOR, DL_VERSION_MINOR, DL_VERSION_PATCH)

/* "0.1.0" */
#define DL_VERSION_STRING_OF(major, minor, patch) #major "." #minor "." #patch
#define DL_VERSION_STRING_OF_VALUES(major, minor, patch)                                 \
    DL_VERSION_STRING_OF(major, minor, patch)
#define DL_VERSION_STRING                                                                \
    DL_VERSION_STRING_OF_VALUES(DL_VERSION_MAJOR, DL_VERSION_MINOR, DL_VERSION_PATCH)

#endif
