/* SPDX-License-Identifier: MIT */
/* Keeping the variables that DL asks for. */
#include "options/environment.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "options/process_name.h"

static const char *const none[] = {NULL};
static const char *const *kept;
static bool had_path;

/* "NAME=value" of a variable that DL asks for. */
static bool is_asked_for(const char *entry)
{
    static const char *const names[] = {"HOME", "XDG_CACHE_HOME"};
    size_t bytes = strcspn(entry, "=");

    if (strncmp(entry, "DL_", 3) == 0)
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == bytes && memcmp(names[i], entry, bytes) == 0)
            return true;
    for (size_t i = 0; dl_rank_variables[i]; i++)
        if (strlen(dl_rank_variables[i]) == bytes &&
            memcmp(dl_rank_variables[i], entry, bytes) == 0)
            return true;
    return false;
}

static bool has_path(void)
{
    for (char **at = environ; at && *at; at++)
        if (strncmp(*at, "PATH=", 5) == 0)
            return true;
    return false;
}

bool dl_environment_lost_path(void)
{
    return had_path && !has_path();
}

/* One block: the list, then the strings. Without memory the environment of later is asked. */
void dl_environment_keep(void)
{
    size_t count = 0, bytes = 0;
    const char **list;
    char *text;

    had_path = has_path();
    kept = none;
    if (getauxval(AT_SECURE) || !environ)
        return;
    for (char **at = environ; *at; at++) {
        if (is_asked_for(*at)) {
            count++;
            bytes += strlen(*at) + 1;
        }
    }
    list = malloc((count + 1) * sizeof *list + bytes);
    if (!list) {
        kept = NULL;
        return;
    }
    text = (char *)(list + count + 1);
    count = 0;
    for (char **at = environ; *at; at++) {
        if (is_asked_for(*at)) {
            list[count++] = text;
            text = stpcpy(text, *at) + 1;
        }
    }
    list[count] = NULL;
    kept = list;
}

const char *dl_environment_get(const char *name)
{
    size_t bytes = strlen(name);

    if (!kept)
        return secure_getenv(name);
    for (const char *const *at = kept; *at; at++)
        if (strncmp(*at, name, bytes) == 0 && (*at)[bytes] == '=')
            return *at + bytes + 1;
    return NULL;
}

const char *const *dl_environment_kept(void)
{
    return kept ? kept : none;
}
