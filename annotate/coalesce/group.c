/* SPDX-License-Identifier: MIT */
/* The functions by which a group loads and stores structs of one type, and their local
 * memory. */
#include "annotate/coalesce/coalesce.h"

#include <string.h>

extern const char dl_group_cl[];

enum { STRUCT_WORDS_MAX = 512, BY_REGISTERS_MAX = 16 };

const char *dl__coalesce_prelude(void)
{
    return dl_group_cl;
}

/* NULL: structs of this type can be moved by words. */
static const char *obstacle_of(struct dl__rewriter *w, const struct dl__type *type,
                               bool stores)
{
    const char *reason = NULL;
    struct dl_leaf *leaves;
    size_t count = 0;

    if (type->kind != DL__T_STRUCT || !type->name || !type->identity)
        return "its type has no name";
    if (type->is_volatile)
        return "it is volatile";
    leaves = dl__struct_leaves(&w->arena, type->identity, &count, &reason);
    if (!leaves)
        return reason ? reason : "its members are not understood";
    if (type->identity->has_bit_field || dl__struct_has_union(type->identity))
        return "it has a union or bit-fields";
    if (type->bytes % 4 || dl__struct_align(type->identity) < 4 ||
        dl__struct_is_packed(&w->arena, type->identity))
        return "it is not made of aligned words";
    if (type->bytes / 4 > STRUCT_WORDS_MAX)
        return "it is too large for local memory";
    if (type->bytes / 4 == 1)
        return "it is one word, and lies beside its neighbours' as it is";
    /* Compilers that give such structs in memory lose none. */
    if (dl__struct_has_open_bytes(type->identity) &&
        (type->bytes <= BY_REGISTERS_MAX ||
         (stores && dl__struct_has_padding(type->identity))))
        return "it has padding, which a function that is given a struct may lose";
    return NULL;
}

const char *dl__coalesce_function(struct dl__rewriter *w, struct dl__coalesced *c,
                                  const struct dl__type *type,
                                  const struct dl__words *some, bool scattered,
                                  bool stores, const char **reason)
{
    const struct dl__words all = {0, type->bytes / 4}, *words = some ? some : &all;
    struct dl__grouped *g = NULL;
    const char **name;

    *reason = obstacle_of(w, type, stores);
    if (*reason)
        return NULL;
    for (size_t i = 0; i < c->types.count; i++)
        if (c->types.items[i].type->identity == type->identity &&
            c->types.items[i].scattered == scattered &&
            c->types.items[i].words.first == words->first &&
            c->types.items[i].words.count == words->count)
            g = &c->types.items[i];
    if (!g) {
        struct dl__grouped made = {.type = type, .words = *words, .scattered = scattered};

        DL__PUSH(&w->arena, &c->types, made);
        g = &c->types.items[c->types.count - 1];
    }
    name = stores ? &g->store : &g->load;
    if (!*name)
        *name = dl__name_make(&w->tracker.accessors.names, &w->arena,
                              dl__arena_format(&w->arena, "%s_group_%s",
                                               dl__struct_tag(&w->arena, type->identity),
                                               stores ? "store" : "load"));
    return *name;
}

static void print_load(struct dl__buf *out, const struct dl__grouped *g)
{
    const char *type = g->type->name;

    dl__buf_printf(
        out,
        "static DL_INLINE %s %s(__global const %s *dl_p, __local dl_quad *dl_l, "
        "__local unsigned long *dl_at)\n"
        "{\n"
        "    %s dl_s;\n",
        type, g->load, type, type);
    dl__buf_printf(out,
                   "    if (%u < DL_GROUP_LEAST(%d, 0)) {\n"
                   "        if (dl_p)\n"
                   "            dl_s = *dl_p;\n"
                   "        return dl_s;\n"
                   "    }\n",
                   g->words.count, g->scattered);
    if (g->words.first)
        dl__buf_printf(out,
                       "    dl_group_exchange(dl_p ? (unsigned long)dl_p + %u : 0, "
                       "(__private dl_word *)&dl_s + %u, dl_l, dl_at, %u, %d, 0);\n",
                       g->words.first * 4, g->words.first, g->words.count, g->scattered);
    else
        dl__buf_printf(out,
                       "    dl_group_exchange((unsigned long)dl_p, (__private dl_word "
                       "*)&dl_s, dl_l, dl_at, %u, %d, 0);\n",
                       g->words.count, g->scattered);
    dl__buf_puts(out, "    return dl_s;\n"
                      "}\n");
}

void dl__coalesce_print(struct dl__buf *out, const struct dl__coalesced *c)
{
    for (size_t i = 0; i < c->types.count; i++) {
        const struct dl__grouped *g = &c->types.items[i];
        const char *type = g->type->name;

        if (g->load)
            print_load(out, g);
        if (g->store)
            dl__buf_printf(
                out,
                "static DL_INLINE void %s(__global %s *dl_p, %s dl_s, __local dl_quad "
                "*dl_l, "
                "__local unsigned long *dl_at)\n"
                "{\n"
                "    if (%u >= DL_GROUP_LEAST(%d, 1))\n"
                "        dl_group_exchange((unsigned long)dl_p, (__private dl_word "
                "*)&dl_s, dl_l, dl_at, %u, %d, 1);\n"
                "    else if (dl_p)\n"
                "        *dl_p = dl_s;\n"
                "}\n",
                g->store, type, type, g->words.count, g->scattered, g->words.count,
                g->scattered);
    }
}

const char *dl__coalesce_locals(struct dl__arena *arena, const struct dl__coalesced *c)
{
    struct dl__buf out = {.arena = arena};
    unsigned least = STRUCT_WORDS_MAX;

    dl__buf_puts(&out, " __local union { ");
    for (size_t i = 0; i < c->types.count; i++) {
        const struct dl__grouped *g = &c->types.items[i];

        dl__buf_printf(&out, "dl_quad dl_%zu[DL_GROUP_QUADS(%u)]; ", i, g->words.count);
        least = g->words.count < least ? g->words.count : least;
    }
    dl__buf_printf(&out,
                   "} dl_space; __local dl_quad *const dl_quads = (__local dl_quad "
                   "*)&dl_space; __local unsigned long dl_places[DL_GROUP_PLACES(%u)];",
                   least);
    return out.items;
}
