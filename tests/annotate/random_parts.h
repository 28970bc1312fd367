/* SPDX-License-Identifier: MIT */
/* A random annotated program, between the files that print it. In the templates @ stands
 * for the seed, which makes names unique. */
#ifndef DL_TESTS_RANDOM_PARTS_H
#define DL_TESTS_RANDOM_PARTS_H

#include <stdbool.h>
#include <stdio.h>

#include "random_struct.h"

enum { RENAMED_MAX = 8 };

struct program {
    struct random random;
    FILE *out;
    struct random_struct type;
    bool constant; /* a __constant buffer c@ */
    bool flat;     /* a flat buffer h@, only read */
    bool result;   /* a flat buffer o@, written */
    bool rebased;  /* g@ itself is moved by a struct */
    bool aliased;  /* a@ is the buffer of f@ */
    bool untyped;  /* by an argument any@ that is a pointer to void */
    bool kernel;   /* poke@, which is called, is a kernel */
    bool blocks;   /* l@ in local memory, copied by a work-group */
    bool handed;   /* buffers in a struct ctx@ */
    bool moved;    /* whose pointers are moved and replaced */
    bool included; /* part of the body stands in a file */
    bool left_out; /* b@ is annotated, but can't be transformed */
    /* functions ov@, set@, leaf@, common, and later@ in front of some of them */
    bool overloads;
    unsigned arrays; /* of soa@, which is read, and to_soa@, which is written; 0: there
                        are none */
    bool narrow;     /* of 16 bits, of a length that is a constant */
    unsigned width;  /* of the flat buffers */
    unsigned tail;   /* elements behind their last rows */
    char own[128];   /* a path that helpers use */
    struct {
        const char *from, *to;
    } renamed[RENAMED_MAX]; /* words of the templates, to names that generated text could
                               have */
    unsigned renamed_count;
};

#define ONE_OF(p, ...) random_one_of(&(p)->random, __VA_ARGS__)

/* ---- random_forms.c ---- */

/* What a form's $i, $p, $t, $a and $b stand for; a form uses only those that are there.
 */
struct random_words {
    const char *index, *path, *target, *a, *b;
};

/* Prints a form, where
 *   $m      is the path as it goes behind an arrow
 *   $o, $O  are the program's own path, before and behind an arrow
 *   $5      is a number from 1 to 5
 *   $<5     is a number from 0 to 4
 *   $(a|b)  is a or b, text without other forms */
void random_fill(struct program *p, const char *form, const struct random_words *words,
                 FILE *out);

/* ---- random_scalars.c ---- */

/* An index below the struct count n; a way to a scalar of a struct. */
void random_index(struct program *p, char *out, size_t bytes);
const struct random_path *random_path(struct program *p, char *out, size_t bytes);
/* A pointer to `lanes` scalars side by side in `of`; NULL: a struct has none. */
const struct random_path *random_run(struct program *p, const char *of, unsigned lanes,
                                     char *out, size_t bytes);
/* A scalar of any buffer, as an int of moderate size. */
void random_value(struct program *p, char *out, size_t bytes);
/* A place of the item's own. */
void random_target(struct program *p, char *out, size_t bytes);

/* ---- random_pointers.c ---- */

void random_pointer_helpers(struct program *p);
/* A statement with pointers to parts of structs, with null pointers or with helpers that
 * return pointers; false: none this time. */
bool random_pointer_statement(struct program *p, const char *value, const char *index);

/* ---- random_more.c ---- */

/* Chooses names for the program's types and helpers. */
void random_rename(struct program *p);
/* Macros of names that generated text could use, once for several programs. */
void random_macros(struct random *r, FILE *out);
/* Gives a program's variables, members and functions names that begin with dl_; frees the
 * text. */
char *random_own_names(struct random *r, char *text);
void random_overloads(struct program *p);
/* A scalar by overloads, pointer arithmetic, aliases and elements behind the rows; false:
 * none this time. */
bool random_more_scalar(struct program *p, const char *index, char *out, size_t bytes);
/* An element of the flat buffer that is read. */
void random_flat_scalar(struct program *p, const char *index, char *out, size_t bytes);
bool random_more_statement(struct program *p, const char *value, const char *index);
/* A pointer that steps through the flat buffer, or one to volatile structs; false: none
 * this time. */
bool random_step_statement(struct program *p, const char *value, const char *index);

/* ---- random_handed.c ---- */

void random_handed_helpers(struct program *p);
void random_handed_statement(struct program *p);

/* ---- random_arrays.c ---- */

/* The length of narrow arrays: at least the largest n of case_run.c, and no shorter than
 * constants that are taken for one; with a short tile. */
#define RANDOM_LONG "67"

void random_array_helpers(struct program *p);
void random_array_scalar(struct program *p, const char *index, char *out, size_t bytes);
void random_array_statement(struct program *p, const char *value);

#endif
