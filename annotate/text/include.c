/* SPDX-License-Identifier: MIT */
/* Finding and reading what an #include names. */
#include "annotate/text/reader.h"

#include "annotate/base/file.h"
#include "annotate/text/lex.h"
#include "annotate/text/limits.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = DL__TEXT_BYTES_MAX };

static char *directory_of(struct dl__arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? dl__arena_text(arena, path, (size_t)(slash - path))
                 : dl__arena_text(arena, ".", 1);
}

const char *dl__main_directory(struct dl__arena *arena, const char *file_name)
{
    return file_name ? directory_of(arena, file_name) : ".";
}

static struct dl__file *make_file(struct dl__arena *arena)
{
    struct dl__file *file = DL__NEW(arena, struct dl__file);

    file->lines = DL__NEW(arena, struct dl__lines);
    file->lines->arena = arena;
    return file;
}

/* A byte order mark in front of a text is none of it. */
static void skip_mark(struct dl__file *file)
{
    size_t bytes = dl__mark_bytes(file->text, file->bytes);

    file->text += bytes;
    file->bytes -= bytes;
}

static struct dl__file *read_text(struct dl__arena *arena, const char *path)
{
    struct dl__file *file = make_file(arena);
    const char *reason;
    char *text = dl__file_read(path, FILE_BYTES_MAX - 1, &file->bytes, &reason);

    if (!text)
        return NULL;
    file->text = dl__arena_text(arena, text, file->bytes);
    free(text);
    file->name = path;
    return file;
}

static struct dl__file *read_file(struct dl__pp *pp, const char *path)
{
    struct dl__file *file = read_text(pp->arena, path);

    if (pp->input->on_file)
        pp->input->on_file(pp->input->on_file_user, path, file ? file->text : NULL,
                           file ? file->bytes : 0);
    if (file)
        skip_mark(file);
    return file;
}

/* The embedded header or file that an #include names; NULL when there is none. */
struct dl__file *dl__pp_find_include(struct dl__pp *pp, const struct dl__file *from,
                                     const char *name, bool quoted)
{
    const struct dl__build_options *options = pp->input->options;
    struct dl__file *file;

    for (size_t i = 0; i < pp->input->header_count; i++) {
        const struct dl_header *header = &pp->input->headers[i];

        if (!strcmp(header->name, name)) {
            file = make_file(pp->arena);
            file->name = header->name;
            file->text = header->text;
            file->bytes = strlen(header->text);
            skip_mark(file);
            return file;
        }
    }
    if (name[0] == '/')
        return read_file(pp, name);
    if (quoted) {
        const char *dir =
            from->is_main ? pp->input->directory : directory_of(pp->arena, from->name);

        file = read_file(pp, dl__arena_format(pp->arena, "%s/%s", dir, name));
        if (file)
            return file;
    }
    for (size_t i = 0; i < options->include_dirs.count; i++) {
        file = read_file(pp, dl__arena_format(pp->arena, "%s/%s",
                                              options->include_dirs.items[i], name));
        if (file)
            return file;
    }
    return NULL;
}

/* The name that `#include` names, "" or <> taken off; NULL when malformed. */
char *dl__pp_include_name(struct dl__pp *pp, const struct dl__pp_tokens *t, bool expand,
                          bool *quoted)
{
    struct dl__item *list = NULL, **tail = &list;
    struct dl__buf buf = {.arena = pp->arena};
    size_t start = 0;

    for (size_t i = 1; i < t->count; i++) {
        *tail = dl__item_make(pp->arena, &t->items[i]);
        tail = &(*tail)->next;
    }
    if (list && list->kind == DL__NAME && expand)
        list = dl__macro_expand(&pp->macros, list, true);
    if (!list)
        return NULL;
    dl__buf_puts(&buf, "");
    if (list->kind == DL__STRING) {
        dl__buf_add(&buf, list->text, list->bytes);
        *quoted = true;
    } else {
        for (const struct dl__item *i = list; i; i = i->next)
            dl__buf_add(&buf, i->text, i->bytes);
        *quoted = false;
    }
    if (buf.count < 3 || buf.items[0] != (*quoted ? '"' : '<') ||
        buf.items[buf.count - 1] != (*quoted ? '"' : '>'))
        return NULL;
    buf.items[buf.count - 1] = '\0';
    start = 1;
    return buf.items + start;
}
