/* SPDX-License-Identifier: MIT */
/* What does not go with barriers that the program knows nothing of: barriers and local
 * memory of its own, order between work-items by atomics or fences, jumps. Read from
 * tokens, so that too much is found rather than too little. */
#include "annotate/coalesce/coalesce.h"

#include <string.h>

#include "annotate/text/lex.h"

/* One that ends in * stands for all names that begin so. */
static const char *const words[][2] = {{"barrier", "barriers"},
                                       {"work_group_*", "functions of work-groups"},
                                       {"sub_group_*", "functions of sub-groups"},
                                       {"intel_sub_group_*", "functions of sub-groups"},
                                       {"atom_*", "atomics"},
                                       {"atomic_*", "atomics"},
                                       {"mem_fence", "fences"},
                                       {"read_mem_fence", "fences"},
                                       {"write_mem_fence", "fences"},
                                       {"async_work_group_*", "copies by work-groups"},
                                       {"wait_group_events", "copies by work-groups"},
                                       {"__local", "local memory"},
                                       {"local", "local memory"},
                                       {"volatile", "volatile accesses"},
                                       {"goto", "jumps"},
                                       {"asm", "assembly"},
                                       {"__asm*", "assembly"},
                                       {"pipe", "pipes"},
                                       {"read_pipe", "pipes"},
                                       {"write_pipe", "pipes"},
                                       {"enqueue_*", "kernels that it enqueues"}};

static const char *obstacle_of(const struct dl__token *t)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t bytes = strlen(words[i][0]);
        bool begins = words[i][0][bytes - 1] == '*';

        bytes -= begins;
        if ((begins ? t->bytes >= bytes : t->bytes == bytes) &&
            !memcmp(t->text, words[i][0], bytes))
            return words[i][1];
    }
    return NULL;
}

static const char *search(struct dl__rewriter *w, const struct dl__function *f,
                          bool *searched)
{
    struct dl__lexer lexer = {
        .text = w->ast.text, .bytes = f->body_end, .offset = f->open_at};
    const char *found = NULL;
    struct dl__token t;

    searched[f - w->ast.functions.items] = true;
    while (!found && (t = dl__lex_next(&lexer)).kind != DL__END) {
        bool declared = false, defined = false;

        if (t.kind != DL__NAME)
            continue;
        found = obstacle_of(&t);
        for (size_t i = 0; !found && i < w->ast.functions.count; i++) {
            const struct dl__function *g = &w->ast.functions.items[i];

            if (strlen(g->name) != t.bytes || memcmp(g->name, t.text, t.bytes) != 0)
                continue;
            declared = true;
            defined |= g->is_defined;
            if (g->is_defined && !searched[i])
                found = search(w, g, searched);
        }
        if (!found && declared && !defined)
            found = "a function of another text";
    }
    return found;
}

const char *dl__coalesce_obstacle(struct dl__rewriter *w, const struct dl__function *f)
{
    return search(w, f,
                  dl__arena_alloc(&w->arena, w->ast.functions.count * sizeof(bool)));
}
