/* SPDX-License-Identifier: MIT */
/* Makes the arguments of a case's kernel: values, and memory with its first contents. */
#include "case_args.h"

#include <CL/cl.h>
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/random_numbers.h"

static uint32_t random_state;

/* Words that are small floats, and large positive ints. */
static void fill(unsigned char *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        random_step(&random_state);
        data[i] = i % 4 == 3   ? 0x3f
                  : i % 4 == 2 ? 0x80 | (random_state >> 26 & 0x7f)
                               : random_state >> 24;
    }
}

static void put(struct arg *a, const void *value, size_t bytes)
{
    memcpy(a->value + a->bytes, value, bytes);
    a->bytes += bytes;
}

static void put_int(struct arg *a, int v)
{
    put(a, &v, sizeof v);
}

static const struct dl_buffer_note *note_of(const struct dl_kernel_note *kernel,
                                            unsigned index)
{
    const struct dl_buffer_note *note = NULL;

    for (size_t b = 0; b < kernel->buffer_count; b++)
        if (kernel->buffers[b].arg_index == index)
            note = &kernel->buffers[b];
    ck_assert_msg(note != NULL, "argument %u is not annotated", index);
    return note;
}

/* False: the word is not one for memory. */
static bool parse_memory(const char *word, const char *text,
                         const struct dl_kernel_note *kernel, unsigned index, uint64_t n,
                         struct arg *a)
{
    if (!strncmp(word, "same:", 5)) {
        const struct arg *other = a + atoi(text);

        a->kind = STRUCTS;
        a->same = index + (unsigned)atoi(text);
        a->structs = other->structs;
        a->extra_bytes = other->extra_bytes;
        a->note = note_of(kernel, index);
    } else if (!strncmp(word, "structs", 7)) {
        a->kind = STRUCTS;
        a->note = note_of(kernel, index);
        a->structs = word[7] == '='
                         ? strtoul(word + 8, NULL, 10)
                         : n + (word[7] == '+' ? strtoul(word + 8, NULL, 10) : 0);
        a->extra_bytes = strchr(word, '~') ? strtoul(strchr(word, '~') + 1, NULL, 10) : 0;
        a->open = strchr(word, '/');
    } else if (!strncmp(word, "arrays:", 7)) {
        a->kind = STRUCTS;
        a->note = note_of(kernel, index);
        a->structs = n;
        a->arrays = (unsigned)strtoul(text, NULL, 10);
    } else if (!strncmp(word, "words:", 6)) {
        a->kind = WORDS;
        a->bytes = n * 4 * strtoul(text, NULL, 10);
    } else if (!strncmp(word, "local:", 6)) {
        a->kind = LOCAL;
        a->bytes = strtoul(text, NULL, 10);
    } else {
        return false;
    }
    return true;
}

static void parse_value(const char *word, const char *text, uint64_t n, int width,
                        struct arg *a)
{
    if (!strcmp(word, "n")) {
        put_int(a, (int)n);
    } else if (!strcmp(word, "w")) {
        put_int(a, width);
    } else if (!strcmp(word, "long:w")) {
        put(a, &(cl_long){width}, sizeof(cl_long));
    } else if (!strncmp(word, "ints:", 5)) {
        while (*text) {
            put_int(a, *text == 'n' ? (int)n : *text == 'w' ? width : atoi(text));
            text += strcspn(text, ",");
            text += *text == ',';
        }
    } else if (!strncmp(word, "int:", 4) || !strncmp(word, "uint:", 5)) {
        put_int(a, atoi(text));
    } else if (!strncmp(word, "ushort:", 7)) {
        put(a, &(cl_ushort){(cl_ushort)atoi(text)}, sizeof(cl_ushort));
    } else if (!strncmp(word, "long:", 5)) {
        put(a, &(cl_long){atol(text)}, sizeof(cl_long));
    } else if (!strncmp(word, "float:", 6)) {
        put(a, &(float){strtof(text, NULL)}, sizeof(float));
    } else {
        ck_abort_msg("unknown argument %s", word);
    }
}

/* Width is what the word `w` stands for. */
static void parse_arg(const char *word, const struct dl_kernel_note *kernel,
                      unsigned index, uint64_t n, int width, struct arg *a)
{
    const char *colon = strchr(word, ':');
    const char *text = colon ? colon + 1 : "";

    memset(a, 0, sizeof *a);
    a->kind = VALUE;
    a->same = index;
    if (!parse_memory(word, text, kernel, index, n, a))
        parse_value(word, text, n, width, a);
}

/* Returns what a dimension is in the launch. */
static int64_t evaluated(const struct dl_dimension *dimension, const struct arg *args,
                         unsigned arg_count, size_t n)
{
    struct dl_arg_value values[ARGS_MAX];
    struct dl_launch launch = {.work_dim = 1,
                               .global_size = {n, 1, 1},
                               .local_size = {1, 1, 1},
                               .args = values,
                               .arg_count = arg_count};
    int64_t value;

    for (unsigned i = 0; i < arg_count; i++)
        values[i] = (struct dl_arg_value){args[i].kind == VALUE ? args[i].value : NULL,
                                          args[i].bytes};
    ck_assert_int_eq(dl_dimension_eval(dimension, &launch, &value, NULL), DL_OK);
    return value;
}

/* What may depend on arguments that come later. */
static void make_buffers(struct arg *args, unsigned arg_count, size_t n)
{
    for (unsigned i = 0; i < arg_count; i++) {
        struct arg *a = &args[i];
        int64_t width;

        if (a->kind == STRUCTS) {
            if (a->arrays && a->note->leaves.leaf_count == 1) {
                ck_assert_int_eq(dl_flat_leaves_make(a->note, a->arrays, &a->leaves),
                                 DL_OK);
            } else if (a->note->width) {
                width = evaluated(a->note->width, args, arg_count, n);
                ck_assert_int_eq(dl_flat_leaves_make(a->note, width, &a->leaves), DL_OK);
            } else {
                ck_assert_int_eq(dl_leaf_table_copy(&a->note->leaves, &a->leaves), DL_OK);
            }
            a->bytes = a->structs * a->leaves.struct_bytes + a->extra_bytes;
        }
        if (a->kind == STRUCTS || a->kind == WORDS) {
            a->initial = calloc(1, a->bytes);
            ck_assert_ptr_nonnull(a->initial);
            fill(a->initial, a->bytes);
        }
    }
}

void args_make(char *const *words, unsigned count, const struct dl_kernel_note *kernel,
               size_t n, int width, struct arg *args)
{
    random_state = (uint32_t)n;
    for (unsigned i = 0; i < count; i++)
        parse_arg(words[i], kernel, i, n, width, &args[i]);
    make_buffers(args, count, n);
}

void args_free(struct arg *args, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        dl_leaf_table_free(&args[i].leaves);
        free(args[i].initial);
    }
}

/* As many arrays as fit. False: they don't fill the buffer. */
static bool arrays_detected(struct arg *a, uint64_t length)
{
    uint64_t count = a->bytes / a->note->leaves.struct_bytes / length;

    dl_leaf_table_free(&a->leaves);
    ck_assert_int_eq(dl_flat_leaves_make(a->note, (int64_t)count, &a->leaves), DL_OK);
    a->structs = length;
    return count > 1 && a->bytes == length * a->leaves.struct_bytes;
}

bool args_detected(const struct dl_kernel_note *kernel, struct arg *args, unsigned count,
                   size_t n)
{
    for (unsigned i = 0; i < count; i++) {
        struct arg *a = &args[i];
        const struct dl_buffer_note *note = NULL;

        for (size_t b = 0; b < kernel->buffer_count; b++)
            if (kernel->buffers[b].arg_index == i)
                note = &kernel->buffers[b];
        if (a->kind != STRUCTS)
            continue;
        a->kind = note ? STRUCTS : WORDS;
        if (a->kind != args[a->same].kind)
            return false;
        if (!note)
            continue;
        a->note = note;
        if (note->width ||
            (note->arrays &&
             !arrays_detected(a, (uint64_t)evaluated(note->structs, args, count, n))))
            return false;
        if (note->arrays)
            continue;
        dl_leaf_table_free(&a->leaves);
        ck_assert_int_eq(dl_leaf_table_copy(&note->leaves, &a->leaves), DL_OK);
        a->structs = a->bytes / a->leaves.struct_bytes;
    }
    return true;
}
