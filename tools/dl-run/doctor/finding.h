/* SPDX-License-Identifier: MIT */
/* What the doctor finds, a line each on standard output. */
#ifndef DL_RUN_FINDING_H
#define DL_RUN_FINDING_H

#include <stdbool.h>

enum finding {
    FINDING_GOOD,
    FINDING_NOTE, /* worth knowing */
    FINDING_WRONG /* keeps DL from working; the line says what to do */
};

/* `about` is a word or two: "libclang". Children of this process count, too. */
void finding_print(enum finding finding, const char *about, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Whether one that this process printed has a word of the glossary. */
bool finding_words_were_said(void);
/* How many were wrong. */
unsigned finding_wrong_count(void);
/* The first of them, without its mark; "": there was none. */
const char *finding_first_wrong(void);

#endif
