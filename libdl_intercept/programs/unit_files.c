/* SPDX-License-Identifier: MIT */
/* Files that units include. */
#include "unit_files.h"

#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/log.h"

/* -include, -isystem, --include and their like: words of their own, quoted or not. */
static bool has_other_includes(const char *options)
{
    static const char before[] = " \t\n\r\"'";

    for (const char *at = options; at && (at = strstr(at, "-i")); at++) {
        const char *word = at > options && at[-1] == '-' ? at - 1 : at;

        if (word == options || strchr(before, word[-1]))
            return true;
    }
    return false;
}

static void see_file(void *seen, const char *path, const char *text, size_t bytes)
{
    dl__files_add(&((struct dl__seen_files *)seen)->list, path, text, bytes);
}

void dl__files_see(struct dl__seen_files *seen, const char *text, const char *options,
                   const struct dl_header *headers, size_t header_count)
{
    const struct dl_annotate_options how = {.build_options = options,
                                            .headers = headers,
                                            .header_count = header_count,
                                            .on_file = see_file,
                                            .on_file_user = seen};

    dl__pack_free(&seen->list);
    *seen = (struct dl__seen_files){.whole = !has_other_includes(options)};
    if (dl_annotate_may_include(text))
        seen->whole = dl_annotate_files(text, strlen(text), &how) == DL_OK && seen->whole;
    seen->whole = seen->whole && !seen->list.failed;
}

bool dl__seen_files_copy(struct dl__seen_files *to, const struct dl__seen_files *from)
{
    dl__pack_free(&to->list);
    *to = (struct dl__seen_files){.whole = from->whole};
    dl__pack_fields(&to->list, from->list.data, from->list.bytes);
    to->whole = to->whole && !to->list.failed;
    return !to->list.failed;
}

bool dl__unit_files_known(const struct dl__unit *unit)
{
    return !has_other_includes(unit->options) &&
           (unit->files_known ? !unit->files.failed
                              : !dl_annotate_may_include(unit->text));
}

bool dl__unit_is_as_built(const struct dl__unit *unit, const char **reason)
{
    /* What a rewritten text includes was all seen (dl__unit_was_as_built). */
    if (!unit->files_known && !unit->seen.whole) {
        *reason = "what its text includes is not known (a macro names a file, or an "
                  "option that DL does not know)";
        return false;
    }
    if (dl__files_unchanged(unit->files_known ? &unit->files : &unit->seen.list))
        return true;
    *reason = "a file that its text includes has changed since the program was built, or "
              "the working folder has";
    return false;
}

bool dl__unit_was_as_built(const struct dl__unit *unit, const struct dl__pack *files)
{
    enum dl__log_level level = unit->can_wait ? DL__LOG_REMARK : DL__LOG_WARNING;
    char *changed;

    if (dl__files_are_among(files, &unit->seen.list))
        return true;
    changed = dl__files_changed(&unit->seen.list);
    if (changed)
        dl__log(level,
                "'%s', which kernels are made of, is not what it was when the "
                "program was built: they run as written",
                changed);
    else
        dl__log(level,
                "a file that kernels are made of is named by a macro, or was another "
                "when the program was built: they run as written");
    free(changed);
    return false;
}
