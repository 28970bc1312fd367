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

void dl__files_add(struct dl__pack *files, const char *path, const char *text,
                   size_t bytes)
{
    struct dl__unpack fields = {.data = files->data, .bytes = files->bytes};
    struct file file;

    while (next_file(&fields, &file)) {
        if (strcmp(file.path, path) == 0 && file.is_there == (text != NULL) &&
            file.bytes == bytes && (!bytes || memcmp(file.text, text, bytes) == 0))
            return;
    }
    if (bytes > FILES_BYTES_MAX || files->bytes > FILES_BYTES_MAX)
        files->failed = true;
    dl__pack_text(files, path);
    dl__pack_number(files, text != NULL);
    dl__pack_bytes(files, text ? text : "", bytes);
}

static bool file_unchanged(const struct file *file)
{
    int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    unsigned char *text = NULL;
    bool same = false;
    struct stat info;
    ssize_t done = 0;

    if (fd < 0) {
        same = !file->is_there;
        goto out;
    }
    if (fstat(fd, &info) != 0)
        goto out;
    if (!file->is_there) {
        same = S_ISDIR(info.st_mode);
        goto out;
    }
    if (!S_ISREG(info.st_mode) || (uint64_t)info.st_size != file->bytes)
        goto out;
    text = malloc(file->bytes + 1);
    for (size_t at = 0; text && at <= file->bytes; at += (size_t)done) {
        /* One byte more than there should be. */
        done = read(fd, text + at, file->bytes + 1 - at);
        if (done <= 0) {
            same = done == 0 && at == file->bytes &&
                   memcmp(text, file->text, file->bytes) == 0;
            break;
        }
    }
out:
    free(text);
    if (fd >= 0)
        close(fd);
    return same;
}

char *dl__files_changed(const struct dl__pack *files)
{
    struct dl__unpack fields = {.data = files->data, .bytes = files->bytes};
    struct file file;

    while (next_file(&fields, &file)) {
        if (!file_unchanged(&file))
            return strdup(file.path);
    }
    return NULL;
}

bool dl__files_unchanged(const struct dl__pack *files)
{
    struct dl__unpack fields = {.data = files->data, .bytes = files->bytes};
    struct file file;

    while (next_file(&fields, &file)) {
        if (!file_unchanged(&file))
            return false;
    }
    return !files->failed && !fields.failed;
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
