/* SPDX-License-Identifier: MIT */
/* Keeping the variables that DL asks for, and names of files that each process of a job
 * has for itself. */
#include "options/environment.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* Where launchers say which rank a process is: those of MPI first, since a batch system
 * may start one process that starts them all. */
static const char *const rank_variables[] = {
    "OMPI_COMM_WORLD_RANK", "PMIX_RANK",    "PMI_RANK", "MV2_COMM_WORLD_RANK",
    "PALS_RANKID",          "SLURM_PROCID", NULL};

/* Digits alone: it becomes a part of a path. */
static const char *rank(void)
{
    for (size_t i = 0; rank_variables[i]; i++) {
        const char *value = dl_environment_get(rank_variables[i]);

        if (value && *value && strspn(value, "0123456789") == strlen(value))
            return value;
    }
    return "0";
}

char *dl_process_name(const char *name)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    if (!out)
        return NULL;
    for (const char *at = name; *at; at++) {
        char next = *at == '%' ? at[1] : '\0';

        if (next == 'p')
            fprintf(out, "%ld", (long)getpid());
        else if (next == 'r')
            fputs(rank(), out);
        else
            fputc(*at, out);
        at += next == 'p' || next == 'r' || next == '%';
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static const char *const none[] = {NULL};
static const char *const *kept;
static char *path_then; /* NULL: there was none */

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
    for (size_t i = 0; rank_variables[i]; i++)
        if (strlen(rank_variables[i]) == bytes &&
            memcmp(rank_variables[i], entry, bytes) == 0)
            return true;
    return false;
}

static const char *path_now(void)
{
    for (char **at = environ; at && *at; at++)
        if (strncmp(*at, "PATH=", 5) == 0)
            return *at + 5;
    return NULL;
}

static bool has_program(const char *path, const char *name)
{
    bool found = false;

    for (size_t bytes; *path && !found; path += bytes + (path[bytes] == ':')) {
        char *file = NULL;

        bytes = strcspn(path, ":");
        found = asprintf(&file, "%.*s/%s", (int)bytes, path, name) > 0 &&
                access(file, X_OK) == 0;
        free(file);
    }
    return found;
}

bool dl_environment_lost_program(const char *name)
{
    static _Atomic uint64_t judged; /* a hash of the last PATH that was looked through,
                                       its last bit whether it lacks it */
    const char *path = path_now();
    uint64_t hash = 14695981039346656037u;

    if (!path_then || !path)
        return path_then;
    if (strcmp(path, path_then) == 0)
        return false;
    for (const char *at = path; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 1099511628211u;
    if ((atomic_load(&judged) ^ hash) >> 1)
        atomic_store(&judged, (hash & ~1ull) | (!has_program(path, name) &&
                                                has_program(path_then, name)));
    return atomic_load(&judged) & 1;
}

/* One block: the list, then the strings. Without memory the environment of later is
 * asked. */
void dl_environment_keep(void)
{
    size_t count = 0, bytes = 0;
    const char **list;
    char *text;

    path_then = path_now() ? strdup(path_now()) : NULL;
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
