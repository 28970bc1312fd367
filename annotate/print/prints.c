/* SPDX-License-Identifier: MIT */
/* The text of a kernel that prints, without that: it tells whether it would have. A
 * kernel must not be run once more where that is seen; so this one runs first, on copies.
 */
#include "annotate/print/second.h"

#include <string.h>

#include "annotate/program/beside.h"
#include "annotate/text/lex.h"

enum { CALLS_MAX = 64 };

static const char parameter[] = "__global int *dl_printed", argument[] = "dl_printed";

static const struct dl__function *named(const struct dl__printing *all,
                                        const struct dl__token *t)
{
    for (size_t i = 0; t->kind == DL__NAME && i < all->count; i++)
        if (dl__token_is(t, all->items[i]->name))
            return all->items[i];
    return NULL;
}

/* Other kernels have their own copies. */
static void print_name(struct dl__buf *out, const struct dl__kernel *k,
                       const struct dl__function *f)
{
    if (f != k->function)
        dl__buf_printf(out, "dl_telling_%s_", k->function->name);
    dl__buf_puts(out, f->name);
}

/* Up to the end of the parameter list. */
static void print_head(struct dl__rewriter *w, const struct dl__kernel *k,
                       const struct dl__function *f)
{
    const char *text = w->expanded.text;
    size_t name_end = f->name_at + strlen(f->name);

    dl__buf_add(&w->out, text + f->item_at, f->name_at - f->item_at);
    print_name(&w->out, k, f);
    if (f->parameter_count)
        dl__buf_add(&w->out, text + name_end, f->close_at - name_end);
    dl__buf_printf(&w->out, "%s%s)", f->parameter_count ? ", " : "(", parameter);
}

/* The rest: calls of what prints have one more argument, and what is printed is lost. */
static void print_body(struct dl__rewriter *w, const struct dl__kernel *k,
                       const struct dl__function *f, const struct dl__printing *all)
{
    struct dl__lexer lexer = {
        .text = w->expanded.text, .bytes = f->body_end, .offset = f->close_at + 1};
    unsigned depth = 0, calls[CALLS_MAX], count = 0;
    size_t from = lexer.offset;
    bool called = false, empty = false;
    struct dl__token t;

    for (; (t = dl__lex_next(&lexer)).kind != DL__END;) {
        const struct dl__function *callee = named(all, &t);

        if (t.kind == DL__NEWLINE)
            continue;
        if (dl__token_is(&t, "(")) {
            depth++;
            if (called && count < CALLS_MAX) {
                calls[count++] = depth;
                empty = true;
                called = false;
                continue;
            }
        }
        if (dl__token_is(&t, ")") && count && calls[count - 1] == depth) {
            dl__buf_add(&w->out, w->expanded.text + from, t.offset - from);
            dl__buf_printf(&w->out, "%s%s", empty ? "" : ", ", argument);
            from = t.offset;
            count--;
        }
        depth -= dl__token_is(&t, ")") && depth;
        empty = false;
        called = callee != NULL;
        if (!callee && !dl__token_is(&t, "printf"))
            continue;
        dl__buf_add(&w->out, w->expanded.text + from, t.offset - from);
        from = t.offset + t.bytes;
        if (callee)
            print_name(&w->out, k, callee);
        else
            dl__buf_puts(&w->out, "DL_PRINTED");
    }
    dl__buf_add(&w->out, w->expanded.text + from, f->body_end - from);
}

bool dl__print_telling(struct dl__rewriter *w, const struct dl__kernel *k)
{
    struct dl__printing all;

    if (!k->detected || !dl__does_more_than_write(w, k->function) ||
        !dl__only_prints(w, k->function, &all))
        return false;
    dl__buf_puts(&w->out, "#ifdef DL_PRINTING\n#undef DL_PRINTED\n"
                          "#define DL_PRINTED(...) (*dl_printed = 1)\n");
    for (size_t i = 0; i < all.count; i++) {
        if (all.items[i] == k->function)
            continue;
        print_head(w, k, all.items[i]);
        dl__buf_puts(&w->out, ";\n");
    }
    for (size_t i = 0; i < all.count; i++) {
        print_head(w, k, all.items[i]);
        print_body(w, k, all.items[i], &all);
        dl__buf_puts(&w->out, "\n");
    }
    dl__buf_puts(&w->out, "#else\n");
    return true;
}
