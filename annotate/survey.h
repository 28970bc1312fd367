/* SPDX-License-Identifier: MIT */
/* Surveys what DL would do with the OpenCL texts in a folder. Only dl-annotate uses it.
 */
#ifndef DL_ANNOTATE_SURVEY_H
#define DL_ANNOTATE_SURVEY_H

/* Reads each text with kernels below `folder` as a program would: with the build options
 * given and, where it does not parse, with folders for its includes and values for its
 * macros that are guessed; in a child with limits of time and memory. Prints a table to
 * standard output, and to `csv`, unless that is NULL, a line a kernel.
 *   the result  an exit status; a text that can't be read is counted, and no error */
int dl__survey(const char *folder, const char *csv, const char *build_options,
               const char *libclang);

#endif
