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

static const char alike[] =
    "its structs have one member, so that all layouts are the same";

static bool is_of_structs(const struct dl__type *type)
{
    return type->element->kind == DL__T_STRUCT;
}

/* NULL: the structs may lie in another way. */
static const char *struct_fault(struct dl__rewriter *w, const struct dl__struct *s)
{
    const char *reason;
    size_t leaves = 0;

    if (!s->name)
        return "its struct has no name";
    if (!dl__struct_leaves(&w->arena, s, &leaves, &reason))
        return reason;
    return leaves < LEAVES_MIN ? alike : NULL;
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

/* A kernel that goes from one element to one a length away may go down a matrix, and one
 * that uses one array alone may have rows in it: another has to say that these are
 * arrays. */
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

/* What an annotation of the argument would say. NULL, or why there is none to be made; ""
 * where nobody expects one. */
static const char *wish_for(struct dl__rewriter *w, struct dl__function *f, size_t number,
                            struct dl__wish *wish)
{
    const struct dl__parameter *p = &f->parameters[number];
    const struct dl__type *type = dl__type_in_use(w, f, number);

    *wish = (struct dl__wish){.buffer = p->name, .dimension = ""};
    if (type->kind != DL__T_POINTER ||
        (type->address_space != DL__GLOBAL && type->address_space != DL__CONSTANT))
        return "";
    if (!*p->name)
        return "it has no name";
    if (is_of_structs(type))
        return struct_fault(w, type->element->identity);
    if (type->element->kind == DL__T_OTHER)
        return "it is not used as one type of pointer; cast it to that once, where it is "
               "first used";
    if (type->element->kind == DL__T_POINTER)
        return "it points to pointers";
    if (wish_for_arrays(w, f, number, wish) ||
        (wish->width = dl__detect_width(w, f, number)) != NULL)
        return NULL;
    return "its indices show neither rows of one width nor arrays of one length; "
           "annotate it where it has them";
}

/* A kernel is run again to see whether it still does the same, on copies of its buffers.
 * NULL, or why that can't be, for an argument. */
static const char *not_again(struct dl__rewriter *w, struct dl__function *f,
                             size_t number)
{
    const struct dl__parameter *p = &f->parameters[number];
    struct dl__lexer lexer = {
        .text = w->expanded.text, .bytes = p->end, .offset = p->begin};
    struct dl__token t;

    if (p->type->kind == DL__T_POINTER && p->type->element->is_volatile &&
        dl__may_wait(w, f, number))
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
    struct dl__printing printing;
    const char *prefix =
        dl__arena_format(&w->arena, "kernel '%s' is left as it is: ", f->name);

    if (dl__does_more_than_write(w, f) && !dl__only_prints(w, f, &printing)) {
        dl__say_at(
            w, f->name_at, prefix,
            "it starts others, or calls a function that another text has, so that it "
            "can't be tried first");
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

/* Nothing is passed over in silence; of structs that can't be taken apart the reason is
 * said. */
static void say_why_not(struct dl__rewriter *w, struct dl__function *f, size_t number,
                        const char *reason)
{
    const struct dl__parameter *p = &f->parameters[number];
    bool left = is_of_structs(dl__type_in_use(w, f, number)) && reason != alike;

    if (left && w->options->on_candidate)
        w->options->on_candidate(w->options->on_candidate_user, f->name, p->name, 's');
    dl__say_at(w, p->begin,
               dl__arena_format(&w->arena, "kernel '%s', buffer '%s' is %s: ", f->name,
                                p->name, left ? "left as it is" : "passed over"),
               reason);
}

static void tell_candidate(struct dl__rewriter *w, const struct dl__function *f,
                           const struct dl__wish *wish)
{
    if (w->options->on_candidate)
        w->options->on_candidate(w->options->on_candidate_user, f->name, wish->buffer,
                                 (char)(wish->arrays  ? 'a'
                                        : wish->width ? 'r'
                                                      : 's'));
}

static void detect_in(struct dl__rewriter *w, struct dl__function *f)
{
    struct dl__kernel *k = NULL;
    bool stays = false;

    for (size_t i = 0; i < w->kernels.count; i++)
        if (w->kernels.items[i].function == f)
            return;
    for (size_t i = 0; i < f->parameter_count; i++) {
        const struct dl__parameter *p = &f->parameters[i];
        struct dl__wish wish;
        struct dl__place place;
        struct dl__note note;
        struct dl__source source;
        const char *reason = wish_for(w, f, i, &wish);

        if (reason && *reason)
            say_why_not(w, f, i, reason);
        if (reason)
            continue;
        tell_candidate(w, f, &wish);
        stays = stays || (!k && !can_be_run_again(w, f));
        if (stays)
            continue;
        place = dl__expanded_place(&w->expanded, p->begin);
        note = (struct dl__note){.file = place.file};
        source = (struct dl__source){place.file->name, place.line, &note, NULL};
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
