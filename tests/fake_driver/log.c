/* SPDX-License-Identifier: MIT */
/* What the fake driver writes down, and which calls it was told to fail. */
#include "fake.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t file_once = PTHREAD_ONCE_INIT;
static FILE *file;

static void open_file(void)
{
    const char *path = getenv("FAKE_LOG");
    char own[4096];

    if (path && *path) {
        snprintf(own, sizeof own, "%s%s", path, fake_is_builder() ? ".builder" : "");
        file = fopen(own, "a");
    }
    if (file)
        setvbuf(file, NULL, _IOLBF, 0);
}

bool fake_is_logging(void)
{
    pthread_once(&file_once, open_file);
    return file != NULL;
}

void fake_log_line(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    flockfile(file);
    vfprintf(file, format, list);
    fputc('\n', file);
    funlockfile(file);
    va_end(list);
}

const char *fake_name(const void *handle)
{
    static const char *const kinds[FAKE_KIND_COUNT] = {
        "platform", "device", "context", "queue",   "mem",
        "program",  "kernel", "event",   "sampler", "commands"};
    static _Thread_local char texts[16][32];
    static _Thread_local unsigned next;
    const struct fake_object *object = handle;
    char *text = texts[next++ % 16];

    if (!handle)
        return "NULL";
    for (int kind = 0; kind < FAKE_KIND_COUNT; kind++) {
        if (fake_is(handle, (enum fake_kind)kind)) {
            snprintf(text, sizeof texts[0], "%s#%u", kinds[kind], object->id);
            return text;
        }
    }
    return "invalid";
}

cl_int fake_inject(const char *function)
{
    /* A count for each entry of the list, by its place. */
    static _Atomic unsigned counts[64];
    const char *entry = getenv("FAKE_FAIL");
    size_t bytes = strlen(function);
    int found = CL_SUCCESS;

    for (size_t i = 0; entry && *entry && i < sizeof counts / sizeof *counts; i++) {
        unsigned wanted;
        int code;
        if (strncmp(entry, function, bytes) == 0 &&
            sscanf(entry + bytes, ":%u=%d", &wanted, &code) == 2 && ++counts[i] == wanted)
            found = code;
        entry = strchr(entry, ',');
        entry = entry ? entry + 1 : NULL;
    }
    return found;
}

bool fake_option(const char *variable, const char *value)
{
    const char *text = getenv(variable);

    return text && strcmp(text, value) == 0;
}
