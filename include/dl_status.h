/* SPDX-License-Identifier: MIT */
/* The status that every fallible DL function returns. One list makes the enum, the names
 * and the texts.
 *
 * Functions leave their out parameters untouched unless they return DL_OK. */
#ifndef DL_STATUS_H
#define DL_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/* X(identifier, "what it is") */
#define DL_STATUS_MAP(X)                                                                 \
    X(OK, "success")                                                                     \
    X(EINVAL, "an argument is out of its documented range")                              \
    X(EOVERFLOW, "a size does not fit its type or the device")                           \
    X(ENOMEM, "out of host or device memory")                                            \
    X(EPARSE, "the text is malformed")                                                   \
    X(EREFUSED, "the construct can't be rewritten safely")                               \
    X(ENOTSUP, "the device or the library does not support this")                        \
    X(ENOLOCAL, "the device has no local memory")                                        \
    X(EWORKSPACE, "the device has no memory for a conversion's workspace")               \
    X(ENOLIB, "a library that this needs was not found")                                 \
    X(EIO, "a file can't be read or written")                                            \
    X(ECL, "an OpenCL call failed")                                                      \
    X(ELIMIT, "it takes more time or memory than it may")

#define DL_STATUS_ENUMERATOR(name, text) DL_##name,
enum dl_status { DL_STATUS_MAP(DL_STATUS_ENUMERATOR) };
#undef DL_STATUS_ENUMERATOR

/* "DL_EINVAL", for logs; never NULL. */
const char *dl_status_name(enum dl_status status);
/* One English clause without a full stop; never NULL. */
const char *dl_status_text(enum dl_status status);

#ifdef __cplusplus
}
#endif

#endif
