/* SPDX-License-Identifier: MIT */
/* The arguments of a case's kernel, from the words of its line `run:`. */
#ifndef DL_TESTS_CASE_ARGS_H
#define DL_TESTS_CASE_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "annotate/annotate.h"

enum { ARGS_MAX = 128 };

enum arg_kind { STRUCTS, WORDS, VALUE, LOCAL };

struct arg {
    enum arg_kind kind;
    const struct dl_buffer_note *note;
    struct dl_leaf_table leaves; /* owned */
    const char *open; /* "/6+2/14+2": bytes of a struct that the language leaves open */
    uint64_t structs;
    size_t extra_bytes; /* behind the structs */
    unsigned arrays;    /* how many there are, where the note does not say */
    unsigned same;      /* the argument whose buffer this is; its own number: none's */
    size_t bytes;
    unsigned char value[256];
    unsigned char *initial; /* AoS */
};

/* Makes the arguments of a launch over n structs; the word `w` stands for width. The same
 * n gives the same data. */
void args_make(char *const *words, unsigned count, const struct dl_kernel_note *kernel,
               size_t n, int width, struct arg *args);
void args_free(struct arg *args, unsigned count);
/* Arguments that were made as annotated become what was detected: the others are plain
 * memory. False: one buffer is both. */
bool args_detected(const struct dl_kernel_note *kernel, struct arg *args, unsigned count,
                   size_t n);

#endif
