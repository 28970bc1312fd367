/* SPDX-License-Identifier: MIT */
/* The names that generated text gives: one thing each. */
#include "annotate/accessors/names.h"

#include <stdio.h>
#include <string.h>

#include "annotate/accessors/prelude.h"
#include "annotate/text/lex.h"

/* What accessors call their arguments and variables. */
static const char *const taken[] = {"dl_f", "dl_i", "dl_e", "dl_w",    "dl_s",   "dl_o",
                                    "dl_p", "dl_v", "dl_r", "dl_head", "dl_tail"};

/* What stands before the name of a buffer or pointer, or before a number,
 * and what annotate/coalesce calls its own. */
static const char *const prefixes[] = {"dl_at_",   "dl_row_",  "dl_w_",
                                       "dl_head_", "dl_tail_", "dl_group_"};

static bool is_number(const char *text)
{
    return *text && !text[strspn(text, "0123456789")];
}

static bool is_of_prelude(const char *name)
{
    for (const char *const *text = dl__prelude_texts(); *text; text++)
        if (dl__text_has_word(*text, strlen(*text), name))
            return true;
    return false;
}

static bool is_taken(const struct dl__names *names, const char *name)
{
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (!strcmp(name, taken[i]))
            return true;
    for (size_t i = 0; i < names->count; i++)
        if (!strcmp(name, names->items[i]))
            return true;
    return is_of_prelude(name) ||
           ((!strncmp(name, "dl_k", 4) || !strncmp(name, "dl_l", 4)) &&
            is_number(name + 4));
}

const char *dl__name_make(struct dl__names *names, struct dl__arena *arena,
                          const char *wanted)
{
    char *base = dl__arena_format(arena, "dl_%s", wanted), *name;

    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(base, prefixes[i], strlen(prefixes[i])))
            base = dl__arena_format(arena, "dl_of_%s", wanted);
    name = base;
    for (unsigned number = 2; is_taken(names, name); number++)
        name = dl__arena_format(arena, "%s_%u", base, number);
    DL__PUSH(arena, names, name);
    return name;
}
