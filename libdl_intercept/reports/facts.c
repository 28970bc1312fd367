/* SPDX-License-Identifier: MIT */
/* Collecting facts. */
#include "facts.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "facts_rows.h"
#include "libdl_intercept/base/locks.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/options.h"
#include "lookalike.h"
#include "write_file.h"

enum { KERNELS_MAX = 1000, MESSAGES_MAX = 200, LINE_BYTES = 512 };

static struct dl__mutex lock = DL__MUTEX_INITIALIZER;
static struct dl__facts facts DL__GUARDED_BY(lock);
static char *report_path; /* NULL: none; set before main */
static pid_t owner;
static pthread_once_t opencl_once = PTHREAD_ONCE_INIT, end_once = PTHREAD_ONCE_INIT;

/* Whether kernels of that origin have to be kept apart by name. Of those from binaries DL
 * can't see whether they are annotated, which is told. */
static bool wanted(enum dl__origin origin)
{
    const struct dl__options *options = dl__options_get();

    return report_path || options->stats || options->side || origin == DL__FROM_BINARY ||
           origin == DL__FROM_IL;
}

/* ---- messages ---- */

static void listen_to(enum dl__log_level level, const char *text)
{
    struct dl__message *more = NULL;
    bool known = false;

    dl__mutex_lock(&lock);
    for (size_t i = 0; i < facts.message_count && !known; i++)
        known = strcmp(facts.messages[i].text, text) == 0;
    if (!known && facts.message_count < MESSAGES_MAX)
        more = realloc(facts.messages, (facts.message_count + 1) * sizeof *more);
    if (more) {
        facts.messages = more;
        more[facts.message_count] = (struct dl__message){(int)level, strdup(text)};
        facts.message_count += more[facts.message_count].text != NULL;
    }
    dl__mutex_unlock(&lock);
}

static void append_line(const char *kind, const char *rest)
{
    char line[LINE_BYTES];

    snprintf(line, sizeof line, "%s\t%ld%s%s\n", kind, (long)getpid(), *rest ? "\t" : "",
             rest);
    dl__append_file(report_path, line);
}

static void at_the_end(void)
{
    atexit(dl__facts_end);
}

/* In every process that DL is loaded into: that it was is a fact, too. */
__attribute__((constructor)) static void begin(void)
{
    struct dl_option_value value;
    char wrong[DL_OPTION_TEXT_BYTES];

    owner = getpid();
    if (dl_option_read(DL_OPTION_report, &value, wrong) != DL_OK || !value.text)
        return;
    report_path = value.text;
    dl__log_listen(listen_to);
    append_line("process", program_invocation_name);
    pthread_once(&end_once, at_the_end);
}

/* ---- annotations beside the program ---- */

static int by_name(const void *left, const void *right)
{
    return strcmp(((const struct dl__side_fact *)left)->kernel,
                  ((const struct dl__side_fact *)right)->kernel);
}

static bool add_entry(const char *line)
{
    struct dl__side_fact fact = {.kernel = NULL}, *more;
    int name_at = 0;
    const char *colon;

    if (sscanf(line, "%u %n", &fact.line, &name_at) != 1 || !name_at ||
        !(colon = strchr(line + name_at, ':')))
        return true;
    dl__mutex_lock(&lock);
    more = realloc(facts.side, (facts.side_count + 1) * sizeof *more);
    if (more) {
        facts.side = more;
        fact.kernel = strndup(line + name_at, (size_t)(colon - line) - (size_t)name_at);
        if (fact.kernel)
            more[facts.side_count++] = fact;
    }
    dl__mutex_unlock(&lock);
    return more && fact.kernel;
}

/* The side file's lines, as dl_side_file_text has them behind its path. */
static void read_side_file(void)
{
    const struct dl__options *options = dl__options_get();
    char *text = options->side ? dl_side_file_text(options->side) : NULL, *rest, *line;

    if (!text)
        return;
    strtok_r(text, "\n", &rest);
    while ((line = strtok_r(NULL, "\n", &rest)) && add_entry(line))
        ;
    free(text);
    dl__mutex_lock(&lock);
    facts.side_path = options->values[DL_OPTION_annotations].text;
    if (facts.side_count)
        qsort(facts.side, facts.side_count, sizeof *facts.side, by_name);
    dl__mutex_unlock(&lock);
}

/* The first entry of that name, others follow it; facts.side_count: none. */
static DL__REQUIRES(lock) size_t find_entry(const char *name, size_t bytes)
{
    size_t low = 0, high = facts.side_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strncmp(facts.side[middle].kernel, name, bytes) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < facts.side_count && strncmp(facts.side[low].kernel, name, bytes) == 0 &&
        facts.side[low].kernel[bytes] == '\0')
        return low;
    return facts.side_count;
}

static DL__REQUIRES(lock) void match(const char *name, size_t bytes, bool made)
{
    for (size_t i = find_entry(name, bytes);
         i < facts.side_count && strncmp(facts.side[i].kernel, name, bytes) == 0 &&
         facts.side[i].kernel[bytes] == '\0';
         i++) {
        facts.side[i].in_text = true;
        facts.side[i].made |= made;
    }
}

static bool begins_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Which entries' names stand in the text. */
static void match_text(const char *text, size_t bytes)
{
    dl__mutex_lock(&lock);
    for (size_t at = 0; facts.side_count && at < bytes; at++) {
        size_t begin_at = at;

        if (!begins_name(text[at]))
            continue;
        while (at < bytes &&
               (begins_name(text[at]) || (text[at] >= '0' && text[at] <= '9')))
            at++;
        match(text + begin_at, at - begin_at, false);
    }
    dl__mutex_unlock(&lock);
}

/* ---- what happens ---- */

static void begin_opencl(void)
{
    const struct dl__options *options = dl__options_get();

    read_side_file();
    dl__mutex_lock(&lock);
    facts.opencl = true;
    dl__mutex_unlock(&lock);
    if (report_path)
        append_line("opencl", "");
    /* A fork may be the first to use it. */
    owner = getpid();
    if (options->side || options->stats || options->verify_every)
        pthread_once(&end_once, at_the_end);
}

void dl__facts_context(void)
{
    pthread_once(&opencl_once, begin_opencl);
}

bool dl__facts_any_context(void)
{
    bool any;

    dl__mutex_lock(&lock);
    any = facts.opencl;
    dl__mutex_unlock(&lock);
    return any;
}

void dl__facts_program(enum dl__origin origin)
{
    dl__mutex_lock(&lock);
    facts.programs[origin]++;
    dl__mutex_unlock(&lock);
}

bool dl__facts_all_unread(void)
{
    const unsigned *programs = facts.programs;
    bool unread;

    dl__mutex_lock(&lock);
    unread = programs[DL__FROM_BINARY] + programs[DL__FROM_IL] > 0 &&
             programs[DL__FROM_SOURCE] + programs[DL__FROM_KNOWN_BINARY] == 0;
    dl__mutex_unlock(&lock);
    return unread;
}

void dl__facts_text(const char *text, size_t bytes)
{
    dl__lookalikes_warn(text, bytes);
    if (dl__options_get()->side)
        match_text(text, bytes);
}

void dl__facts_kernel(const char *name, enum dl__origin origin, enum dl__text_has has)
{
    struct dl__kernel_fact *more = NULL;
    size_t i = 0;

    if (!wanted(origin))
        return;
    pthread_once(&end_once, at_the_end);
    if (!name)
        name = "(unnamed)";
    dl__mutex_lock(&lock);
    match(name, strlen(name), true);
    while (i < facts.kernel_count && (facts.kernels[i].origin != origin ||
                                      strcmp(facts.kernels[i].name, name) != 0))
        i++;
    if (i < facts.kernel_count && facts.kernels[i].has < has)
        facts.kernels[i].has = has;
    else if (i == facts.kernel_count && i < KERNELS_MAX)
        more = realloc(facts.kernels, (i + 1) * sizeof *more);
    if (more) {
        facts.kernels = more;
        more[i] = (struct dl__kernel_fact){strdup(name), origin, has};
        facts.kernel_count += more[i].name != NULL;
    }
    dl__mutex_unlock(&lock);
}

void dl__facts_verified(enum dl__verified how)
{
    dl__mutex_lock(&lock);
    facts.verified[how]++;
    dl__mutex_unlock(&lock);
}

/* ---- the end ---- */

/* What is said now is no message of the run's; nobody adds to a copy. */
void dl__facts_say(void)
{
    static atomic_bool said;
    struct dl__facts now;

    if (getpid() != owner || atomic_exchange(&said, true))
        return;
    dl__log_listen(NULL);
    dl__mutex_lock(&lock);
    now = facts;
    dl__mutex_unlock(&lock);
    if (now.opencl)
        dl__facts_say_all(&now);
    dl__log_listen(report_path ? listen_to : NULL);
}

void dl__facts_end(void)
{
    static atomic_bool ended;
    struct dl__facts last;

    if (getpid() != owner || atomic_exchange(&ended, true))
        return;
    dl__facts_say();
    dl__log_listen(NULL);
    dl__mutex_lock(&lock);
    last = facts;
    facts.kernel_count = facts.side_count = facts.message_count = 0;
    facts.kernels = NULL;
    facts.side = NULL;
    facts.messages = NULL;
    dl__mutex_unlock(&lock);
    if (report_path)
        dl__facts_report(&last, report_path);
    /* The process ends: its lists go with it. */
}
