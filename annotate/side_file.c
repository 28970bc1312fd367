/* Annotations beside the program: a file of `KERNEL: AoS: f[...]` lines with # comments.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotation.h"

static void say(dl_remark_fn remark, void *user, const char *file, unsigned line,
                const char *text)
{
    struct dl_remark r = {DL_WARNING, file, line, line ? 1 : 0, text};

    if (remark)
        remark(user, &r);
}

static bool is_name(const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        char c = text[i];

        if (!(c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
              (i && c >= '0' && c <= '9')))
            return false;
    }
    return bytes != 0;
}

/* Checks the form only; what it means is known when the kernel is. */
static bool body_is_sound(const char *body, const char **reason)
{
    struct dl__arena arena = {0};
    struct dl__wishes wishes = {0};
    volatile bool ok = false;

    *reason = "out of memory";
    if (!setjmp(arena.fail))
        ok = dl__annotation_parse(&arena, body, &wishes, reason);
    dl__arena_free(&arena);
    return ok;
}

static enum dl_status add_entry(struct dl_side_file *side, const char *kernel,
                                size_t kernel_bytes, const char *body, unsigned line)
{
    struct dl__side_entry entry = {strndup(kernel, kernel_bytes), strdup(body), line};
    struct dl__side_entry *more =
        realloc(side->entries, (side->entry_count + 1) * sizeof *more);

    if (more)
        side->entries = more;
    if (!more || !entry.kernel || !entry.body) {
        free(entry.kernel);
        free(entry.body);
        return DL_ENOMEM;
    }
    side->entries[side->entry_count++] = entry;
    return DL_OK;
}

static enum dl_status read_line(struct dl_side_file *side, char *text, unsigned line,
                                dl_remark_fn remark, void *user)
{
    char *hash = strchr(text, '#'), *colon;
    const char *reason;
    size_t bytes;

    if (hash)
        *hash = '\0';
    bytes = strlen(text);
    while (bytes && strchr(" \t\r\n", text[bytes - 1]))
        text[--bytes] = '\0';
    while (*text == ' ' || *text == '\t')
        text++;
    if (!*text)
        return DL_OK;
    colon = strchr(text, ':');
    bytes = colon ? (size_t)(colon - text) : 0;
    while (bytes && strchr(" \t", text[bytes - 1]))
        bytes--;
    if (!colon || !is_name(text, bytes)) {
        say(remark, user, side->path, line,
            "a line has the form `KERNEL: AoS: buffer[structs]`");
        return DL_OK;
    }
    if (!body_is_sound(colon + 1, &reason)) {
        say(remark, user, side->path, line, reason);
        return DL_OK;
    }
    return add_entry(side, text, bytes, colon + 1, line);
}

enum dl_status dl_side_file_load(const char *path, dl_remark_fn remark, void *user,
                                 struct dl_side_file **out)
{
    struct dl_side_file *side = calloc(1, sizeof *side);
    enum dl_status st = DL_ENOMEM;
    FILE *in = NULL;
    char *text = NULL;
    size_t room = 0;
    unsigned line = 0;

    if (!side || !(side->path = strdup(path)))
        goto out;
    in = fopen(path, "r");
    if (!in) {
        char why[256];

        snprintf(why, sizeof why, "the annotation file can't be read: %s",
                 strerror(errno));
        say(remark, user, path, 0, why);
        st = DL_EIO;
        goto out;
    }
    st = DL_OK;
    while (st == DL_OK && getline(&text, &room, in) >= 0)
        st = read_line(side, text, ++line, remark, user);
    if (st == DL_OK && ferror(in)) {
        say(remark, user, path, 0, "the annotation file can't be read");
        st = DL_EIO;
    }
out:
    free(text);
    if (in)
        fclose(in);
    if (st == DL_OK)
        *out = side;
    else
        dl_side_file_free(side);
    return st;
}

const char *dl_side_file_find(const struct dl_side_file *side, const char *kernel)
{
    for (size_t i = 0; side && i < side->entry_count; i++)
        if (!strcmp(side->entries[i].kernel, kernel))
            return side->path;
    return NULL;
}

char *dl_side_file_text(const struct dl_side_file *side)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    if (!out)
        return NULL;
    if (side)
        fprintf(out, "%s\n", side->path);
    for (size_t i = 0; side && i < side->entry_count; i++)
        fprintf(out, "%u %s:%s\n", side->entries[i].line, side->entries[i].kernel,
                side->entries[i].body);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

void dl_side_file_free(struct dl_side_file *side)
{
    if (!side)
        return;
    for (size_t i = 0; i < side->entry_count; i++) {
        free(side->entries[i].kernel);
        free(side->entries[i].body);
    }
    free(side->entries);
    free(side->path);
    free(side);
}
