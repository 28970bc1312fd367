/* SPDX-License-Identifier: MIT */
/* The table of one kernel, as annotations/notes.c reads it. */
#include "annotate/print/table.h"

#include <stdlib.h>
#include <string.h>

#include "annotate/annotations/access_line.h"
#include "annotate/coalesce/coalesce.h"
#include "annotate/facts/facts.h"
#include "annotate/forms/pattern.h"
#include "annotate/program/beside.h"
#include "annotate/track/form.h"

static void print_leaves(struct dl__rewriter *w, const struct dl__struct *s)
{
    struct dl_leaf_table table;
    const char *reason;
    size_t count;
    struct dl_leaf *fields = dl__struct_leaves(&w->arena, s, &count, &reason), *leaves;

    if (dl_leaf_table_make(s->bytes, fields, count, &table) != DL_OK)
        dl__arena_fail(&w->arena, DL_ENOMEM);
    /* Copied out before anything may jump. */
    count = table.leaf_count;
    leaves = malloc(count * sizeof *leaves);
    if (leaves)
        memcpy(leaves, table.leaves, count * sizeof *leaves);
    dl_leaf_table_free(&table);
    if (!leaves)
        dl__arena_fail(&w->arena, DL_ENOMEM);
    fields = (struct dl_leaf *)(void *)dl__arena_text(&w->arena, (char *)leaves,
                                                      count * sizeof *leaves);
    free(leaves);
    dl__buf_puts(&w->out, "//DL-leaves:");
    for (size_t i = 0; i < count;) {
        size_t run = 1;

        while (i + run < count && fields[i + run].width_bytes == fields[i].width_bytes)
            run++;
        dl__buf_printf(&w->out, " %u+%u", fields[i].offset_bytes, fields[i].width_bytes);
        if (run > 1)
            dl__buf_printf(&w->out, "*%zu", run);
        i += run;
    }
    dl__buf_puts(&w->out, "\n");
}

static void print_facts(struct dl__rewriter *w, const struct dl__facts *facts)
{
    if (!facts->count)
        dl__buf_puts(&w->out, "//DL-access: none\n");
    for (size_t i = 0; i < facts->count; i++) {
        dl__buf_puts(&w->out, "//DL-access: ");
        dl__access_print(&w->out, &facts->items[i].fact);
        dl__buf_puts(&w->out, "\n");
    }
}

static void print_grid(struct dl__rewriter *w, const struct dl__grid_wish *grid,
                       const struct dl__pattern *pattern)
{
    bool alike = pattern && pattern->any && !pattern->obstacle;

    for (size_t d = 0; d < grid->extent_count; d++)
        dl__buf_printf(&w->out, "//DL-extent: %s %s\n", grid->names.names[d],
                       grid->extents[d]);
    if (grid->strips)
        dl__buf_printf(&w->out, "//DL-strips: %s\n", grid->strips);
    for (size_t d = 0; alike && d < grid->extent_count; d++) {
        dl__buf_puts(&w->out, "//DL-matrix:");
        for (int c = 0; c < DL_GRID_COLUMNS; c++)
            dl__buf_printf(&w->out, " %lld",
                           (long long)pattern->access.coefficients[d][c]);
        dl__buf_puts(&w->out, "\n");
    }
}

/* The arguments of a kernel without annotation that are memory. */
static void print_memory(struct dl__rewriter *w, const struct dl__function *f)
{
    dl__buf_puts(&w->out, "//DL-detected:");
    for (size_t i = 0; i < f->parameter_count; i++) {
        const struct dl__type *type = f->parameters[i].type;

        if (type->kind == DL__T_POINTER && type->address_space != DL__LOCAL)
            dl__buf_printf(&w->out, " %zu", i);
    }
    dl__buf_puts(&w->out, "\n");
}

void dl__print_table(struct dl__rewriter *w, const struct dl__kernel *k)
{
    struct dl__printing printing;

    dl__buf_printf(&w->out, "//DL-kernel: %s %zu\n", k->function->name,
                   k->function->parameter_count);
    if (k->soa_refused)
        dl__buf_puts(&w->out, "//DL-refused: soa\n");
    if (k->unit)
        dl__buf_printf(&w->out, "//DL-sums: %s\n",
                       k->unit->contractable ? "contractable" : "exact");
    if (k->unit && dl__does_more_than_write(w, k->function))
        dl__buf_printf(&w->out, "//DL-once: %s\n",
                       k->detected && dl__only_prints(w, k->function, &printing)
                           ? "tells"
                           : "prints");
    if (k->unit && dl__draws_slots(w, k->function))
        dl__buf_puts(&w->out, "//DL-draws: slots\n");
    if (k->unit && k->coalesced)
        dl__buf_printf(&w->out, "//DL-coalesced: %u %u %u %u\n", k->coalesced->loads,
                       k->coalesced->stores, k->coalesced->loaded, k->coalesced->stored);
    if (k->detected)
        print_memory(w, k->function);
    for (size_t i = 0; i < k->buffers.count; i++) {
        const struct dl__buffer *b = &k->buffers.items[i];
        const struct dl__struct *s = b->root->element;

        if (!b->soa && !k->unit)
            continue;
        dl__buf_printf(&w->out,
                       "//DL-buffer: %s arg %zu %s %s bytes %u line %u type %s\n",
                       b->name, b->root->parameter,
                       b->root->written                 ? "write"
                       : b->root->space == DL__CONSTANT ? "const"
                                                        : "read",
                       b->soa      ? "soa"
                       : b->arrays ? "arr"
                                   : "aos",
                       s->bytes, b->line, s->name);
        print_leaves(w, s);
        if (b->root->form->table_line)
            dl__buf_puts(&w->out, b->root->form->table_line(&w->arena, b->root));
        dl__buf_printf(&w->out, "//DL-structs: %s\n", b->dimension);
        if (b->grid)
            print_grid(w, b->grid, b->root->pattern);
        if (k->detected && b->arrays)
            dl__buf_printf(&w->out, "//DL-found: %s[%s][] to ASTA\n", b->name,
                           b->written);
        else if (k->detected)
            dl__buf_printf(&w->out,
                           b->width ? "//DL-found: %s[][%s]\n" : "//DL-found: %s[]\n",
                           b->name, b->width);
        if (!b->soa && b->root->facts)
            print_facts(w, b->root->facts);
    }
    dl__buf_printf(&w->out, "//DL-end: %s\n", k->function->name);
}
