/* SPDX-License-Identifier: MIT */
/* Lists of files. */
#include "files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_BYTES_MAX = 16 << 20 };

struct file {
    const char *path;
    bool is_there;
    const unsigned char *text;
    size_t bytes;
};

static bool next_file(struct dl__unpack *fields, struct file *file)
{
    if (fields->failed || fields->at >= fields->bytes)
        return false;
    file->path = dl__unpack_text(fields);
    file->is_there = dl__unpack_number(fields);
    file->text = dl__unpack_bytes(fields, &file->bytes);
    return !fields->failed;
}

static bool has_file(const struct dl__pack *files, const struct file *wanted)
{
    struct dl__unpack fields = {.data = files->data, .bytes = files->bytes};
    struct file file;

    while (next_file(&fields, &file)) {
        if (strcmp(file.path, wanted->path) == 0 && file.is_there == wanted->is_there &&
            file.bytes == wanted->bytes &&
            memcmp(file.text, wanted->text, file.bytes) == 0)
            return true;
    }
    return false;
}

void dl__files_add(struct dl__pack *files, const char *path, const char *text,
                   size_t bytes)
{
    const struct file file = {path, text != NULL,
                              (const unsigned char *)(text ? text : ""), bytes};

    if (has_file(files, &file))
        return;
    if (bytes > FILES_BYTES_MAX || files->bytes > FILES_BYTES_MAX)
        files->failed = true;
    dl__pack_text(files, path);
    dl__pack_number(files, text != NULL);
    dl__pack_bytes(files, text ? text : "", bytes);
}

static bool holds_the_same(int fd, const struct file *file)
{
    unsigned char *text = malloc(file->bytes + 1);
    bool same = false;
    ssize_t done = 0;

    for (size_t at = 0; text && at <= file->bytes; at += (size_t)done) {
        /* One byte more than there should be. */
        done = read(fd, text + at, file->bytes + 1 - at);
        if (done <= 0) {
            same = done == 0 && at == file->bytes &&
                   memcmp(text, file->text, file->bytes) == 0;
            break;
        }
    }
    free(text);
    return same;
}

static bool file_unchanged(const struct file *file)
{
    struct stat info;
    bool same;
    int fd;

    if (stat(file->path, &info) != 0)
        return !file->is_there;
    /* A pipe, which nobody but the driver may open, is not known to be what it was. */
    if (!S_ISREG(info.st_mode))
        return !file->is_there && S_ISDIR(info.st_mode);
    fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return !file->is_there;
    same = file->is_there && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
           (uint64_t)info.st_size == file->bytes && holds_the_same(fd, file);
    close(fd);
    return same;
}

/* False: all are as they were, as far as the list can be read. */
static bool find_changed(struct dl__unpack *fields, struct file *file)
{
    while (next_file(fields, file))
        if (!file_unchanged(file))
            return true;
    return false;
}

char *dl__files_changed(const struct dl__pack *files)
{
    struct dl__unpack fields = {.data = files->data, .bytes = files->bytes};
    struct file file;

    return find_changed(&fields, &file) ? strdup(file.path) : NULL;
}

bool dl__files_unchanged(const struct dl__pack *files)
{
    struct dl__unpack fields = {.data = files->data, .bytes = files->bytes};
    struct file file;

    return !find_changed(&fields, &file) && !files->failed && !fields.failed;
}

bool dl__files_are_among(const struct dl__pack *files, const struct dl__pack *others)
{
    struct dl__unpack fields = {.data = files->data, .bytes = files->bytes};
    struct file file;

    while (next_file(&fields, &file)) {
        if (!has_file(others, &file))
            return false;
    }
    return !files->failed && !fields.failed && !others->failed;
}
