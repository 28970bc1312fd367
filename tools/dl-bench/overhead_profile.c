/* SPDX-License-Identifier: MIT */
/* dl-bench overhead: callgrind's files. Names are given in full once, "fn=(7) name", and
 * then by number. A line
 * "+3 25" is what a source line cost; behind one with "calls=", what the function called
 * there did. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "overhead.h"

enum { IDS = 4096 };

struct reader {
    bool locks[IDS], own[IDS]; /* functions that lock; DL's object */
    bool calls_lock;           /* the call to come */
    bool in_own, is_call;
    unsigned long long lock_calls, own_cost, cost;
    bool has_cost;
};

static bool is_lock(const char *name)
{
    return strncmp(name, "pthread_mutex_lock", 18) == 0 ||
           strncmp(name, "pthread_rwlock_", 15) == 0 ||
           strncmp(name, "pthread_spin_", 13) == 0;
}

/* "(7) name" or "(7)". False: neither. */
static bool read_name(const char *text, unsigned *id, char *name)
{
    *name = '\0';
    return sscanf(text, "(%u) %4095s", id, name) >= 1 && *id < IDS;
}

static void read_object(struct reader *reader, const char *text, bool enters)
{
    char name[PATH_MAX];
    unsigned id;

    if (!read_name(text, &id, name))
        return;
    if (name[0])
        reader->own[id] = strstr(name, "libdl_intercept") != NULL;
    if (enters)
        reader->in_own = reader->own[id];
}

static void read_function(struct reader *reader, const char *text, bool is_called)
{
    char name[PATH_MAX];
    unsigned id;

    reader->calls_lock = false;
    if (!read_name(text, &id, name))
        return;
    if (name[0])
        reader->locks[id] = is_lock(name);
    reader->calls_lock = is_called && reader->locks[id];
}

static void read_cost(struct reader *reader, const char *line)
{
    unsigned long long number;

    if (!strchr("+-*0123456789", line[0]) || sscanf(line, "%*s %llu", &number) != 1)
        return;
    if (reader->in_own && !reader->is_call)
        reader->own_cost += number;
    reader->is_call = false;
}

static void read_line(struct reader *reader, const char *line)
{
    unsigned long long number;

    if (strncmp(line, "ob=", 3) == 0) {
        read_object(reader, line + 3, true);
    } else if (strncmp(line, "cob=", 4) == 0) {
        read_object(reader, line + 4, false);
    } else if (strncmp(line, "fn=", 3) == 0) {
        read_function(reader, line + 3, false);
    } else if (strncmp(line, "cfn=", 4) == 0) {
        read_function(reader, line + 4, true);
    } else if (sscanf(line, "calls=%llu", &number) == 1) {
        reader->lock_calls += reader->calls_lock ? number : 0;
        reader->calls_lock = false;
        reader->is_call = true;
    } else if (sscanf(line, "summary: %llu", &number) == 1) {
        reader->cost = number;
        reader->has_cost = true;
    } else {
        read_cost(reader, line);
    }
}

bool overhead_profile_read(const char *path, unsigned calls, struct overhead_count *count,
                           char *clang, size_t clang_bytes)
{
    struct reader reader = {.has_cost = false};
    char line[OVERHEAD_LINE_BYTES];
    FILE *file = fopen(path, "r");

    if (!file)
        return false;
    while (fgets(line, sizeof line, file)) {
        read_line(&reader, line);
        if (strstr(line, "ob=(") && strstr(line, "libclang"))
            snprintf(clang, clang_bytes, "%s", line);
    }
    fclose(file);
    *count = (struct overhead_count){.instructions = (double)reader.cost / calls,
                                     .locks = (double)reader.lock_calls / calls,
                                     .own = (double)reader.own_cost / calls};
    return reader.has_cost;
}
