/* SPDX-License-Identifier: MIT */
/* Buffers of kernels without annotation: pointers to structs, and rows. */
#include "annotate/program/detect.h"

#include <string.h>

#include "annotate/program/beside.h"
#include "annotate/program/bind.h"
#include "annotate/program/cast.h"
#include "annotate/program/counter.h"
#include "annotate/text/lex.h"

enum {
    LEAVES_MIN = 2 /* of fewer, every layout is the same */
};

/* ---- candidates ---- */

/* Of what can't be taken apart the reason is said. */
static bool is_of_structs(struct dl__rewriter *w, const struct dl__function *f,
                          const struct dl__parameter *p, const struct dl__type *type)
{
    const char *reason;
    size_t leaves = 0;

    if (type->element->kind != DL__T_STRUCT || !type->element->identity->name)
        return false;
    if (dl__struct_leaves(&w->arena, type->element->identity, &leaves, &reason))
        return leaves >= LEAVES_MIN;
    dl__say_at(w, p->begin,
               dl__arena_format(
                   &w->arena, "'%s' of kernel '%s' is left as it is: ", p->name, f->name),
               reason);
    return false;
}

/* True when a kernel of the text is sure of arrays of such names, and of nothing else. */
static bool is_sure_of(struct dl__rewriter *w, const char *buffer, const char *length)
{
    for (size_t i = 0; i < w->ast.functions.count; i++) {
        struct dl__function *f = &w->ast.functions.items[i];
        const char *found;
        bool sure;

        if (!f->is_kernel || !f->is_defined)
            continue;
        for (size_t p = 0; p < f->parameter_count; p++) {
            if (strcmp(f->parameters[p].name, buffer) != 0)
                continue;
            found = dl__detect_length(w, f, p, &sure);
            if (found && sure && !strcmp(found, length) && !dl__detect_width(w, f, p))
                return true;
        }
    }
    return false;
}

/* A kernel that goes from one element to one a length away may go down a matrix, and one that uses one
 * array alone may have rows in it: another has to say that these are arrays. */
static bool wish_for_arrays(struct dl__rewriter *w, struct dl__function *f, size_t number,
                            struct dl__wish *wish)
{
    bool sure;
    const char *length = dl__detect_length(w, f, number, &sure);

    if (!length || !is_sure_of(w, wish->buffer, length))
        return false;
    wish->dimension = length;
    wish->width = "";
    wish->arrays = true;
    return true;
}

/* What an annotation of the argument would say. False: there is none to be made. */
static bool wish_for(struct dl__rewriter *w, struct dl__function *f, size_t number,
                     struct dl__wish *wish)
{
    const struct dl__parameter *p = &f->parameters[number];
    const struct dl__type *type = dl__type_in_use(w, f, number);

    *wish = (struct dl__wish){.buffer = p->name, .dimension = ""};
    if (!*p->name || type->kind != DL__T_POINTER ||
        (type->address_space != DL__GLOBAL && type->address_space != DL__CONSTANT))
        return false;
    if (is_of_structs(w, f, p, type))
        return true;
    return wish_for_arrays(w, f, number, wish) ||
           (wish->width = dl__detect_width(w, f, number)) != NULL;
}

/* A kernel is run again to see whether it still does the same, on copies of its buffers. NULL, or why
 * that can't be, for an argument. */
static const char *not_again(struct dl__rewriter *w, struct dl__function *f,
                             size_t number)
{
    const struct dl__parameter *p = &f->parameters[number];
    struct dl__lexer lexer = {
        .text = w->expanded.text, .bytes = p->end, .offset = p->begin};
    struct dl__token t;

    if (p->type->kind == DL__T_POINTER && p->type->element->is_volatile &&
        !dl__counts_alone(w, f, number))
        return "it may wait for what others write";
    while ((t = dl__lex_next(&lexer)).kind != DL__END)
        if (dl__token_is(&t, "write_only") || dl__token_is(&t, "__write_only") ||
            dl__token_is(&t, "read_write") || dl__token_is(&t, "__read_write") ||
            dl__token_is(&t, "pipe"))
            return "it writes an image or a pipe, so that it can't be tried first";
    return NULL;
}

static bool can_be_run_again(struct dl__rewriter *w, struct dl__function *f)
{
    const char *prefix =
        dl__arena_format(&w->arena, "kernel '%s' is left as it is: ", f->name);

    if (dl__does_more_than_write(w, f)) {
        dl__say_at(
            w, f->name_at, prefix,
            "it prints or starts others, or calls a function that another text has, "
            "so that it can't be tried first");
        return false;
    }
    for (size_t i = 0; i < f->parameter_count; i++) {
        const char *reason = not_again(w, f, i);

        if (reason) {
            dl__say_at(w, f->parameters[i].begin, prefix, reason);
            return false;
        }
    }
    return true;
}

static void detect_in(struct dl__rewriter *w, struct dl__function *f)
{
    struct dl__kernel *k = NULL;

    for (size_t i = 0; i < w->kernels.count; i++)
        if (w->kernels.items[i].function == f)
            return;
    for (size_t i = 0; i < f->parameter_count; i++) {
        const struct dl__parameter *p = &f->parameters[i];
        struct dl__wish wish;
        struct dl__place place;
        struct dl__source source;

        if (!wish_for(w, f, i, &wish))
            continue;
        if (!k && !can_be_run_again(w, f))
            return;
        place = dl__expanded_place(&w->expanded, p->begin);
        source = (struct dl__source){.file = place.file->name, .line = place.line};
        k = k ? k : dl__kernel_of(w, f);
        k->detected = true;
        dl__bind_buffer(w, k, &source, &wish);
    }
}

void dl__detect(struct dl__rewriter *w)
{
    w->detecting = true;
    for (size_t i = 0; i < w->ast.functions.count; i++) {
        struct dl__function *f = &w->ast.functions.items[i];

        if (f->is_kernel && f->is_defined)
            detect_in(w, f);
    }
    w->detecting = false;
}
