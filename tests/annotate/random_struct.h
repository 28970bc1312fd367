/* SPDX-License-Identifier: MIT */
/* Random struct types, and the ways to their scalars. */
#ifndef DL_TESTS_RANDOM_STRUCT_H
#define DL_TESTS_RANDOM_STRUCT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { PATHS_MAX = 40, OPEN_BYTES = 768 };

struct random_path {
    char text[64];       /* ".a.b[%s]", a %s where an array index goes */
    unsigned count;      /* of that array; 0: none */
    const char *type;    /* of the scalar, or of the vector's components */
    unsigned components; /* of a vector; 0: a scalar */
    bool is_run;         /* the array's elements are scalars side by side */
};

struct random_struct {
    struct random_path paths[PATHS_MAX];
    unsigned path_count;
    bool packed;
    bool has_wide_union; /* with members that share leaves */
    bool has_inner;      /* a member `in` of type inner@ */
    char eight[24];      /* ".m1a", at which 8 bytes of several members begin; "": none */
    unsigned offset, align; /* so far */
    char open[OPEN_BYTES],  /* "/12+4/28+4": bytes that the language leaves open */
        padding[OPEN_BYTES];
};

struct random {
    uint32_t state;
};

unsigned random_pick(struct random *r, unsigned count);
const char *random_one_of(struct random *r, unsigned count, ...);
/* Of a scalar type. */
unsigned random_bytes_of(const char *type);

/* Prints the types inner@ and cell@. */
void random_struct_print(struct random *r, FILE *out, struct random_struct *s);

#endif
