/* SPDX-License-Identifier: MIT */
/* Facts of the program: collected, said at the end as lines for people, and written into
 * the report. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <unistd.h>

#include "facts.h"
#include "libdl_intercept/base/locks.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/options.h"
#include "options/options.h"
#include "reasons.h"
#include "stats.h"
#include "stats_print.h"

struct kernel_fact {
    char *name;
    enum dl__origin origin;
    enum dl__text_has has;
};

/* Whether there is a text of it that DL can run. */
static bool is_followed(const struct kernel_fact *kernel)
{
    return kernel->has >= DL__HAS_CANDIDATES;
}

/* An entry of the side file. */
struct side_fact {
    char *kernel;
    unsigned line;
    bool in_text; /* the name stands in a text that was built */
    bool made;    /* a kernel of that name was made */
};

/* A kernel whose text has to be changed before DL can follow a buffer of it. */
struct unfollowed {
    char *kernel, *why;
};

struct message {
    int level; /* of enum dl__log_level */
    char *text;
};

struct facts {
    bool opencl;
    unsigned programs[DL__ORIGINS];
    unsigned long verified[DL__VERIFIED_COUNT];
    struct kernel_fact *kernels;
    size_t kernel_count;
    struct side_fact *side; /* by name */
    size_t side_count;
    const char *side_path;
    struct unfollowed *unfollowed; /* they live as long as the process */
    size_t unfollowed_count;
    struct message *messages;
    size_t message_count;
};

/* ---- comments that look like annotations and are not: `//dl:`, a block comment, a
 * missing colon ---- */

/* Of more, nobody reads the warnings. */
enum { WARNED_MAX = 32 };

static struct dl__mutex warned_lock = DL__MUTEX_INITIALIZER;
static uint64_t warned[WARNED_MAX] DL__GUARDED_BY(warned_lock); /* hashes of the lines */
static size_t warned_count DL__GUARDED_BY(warned_lock);

static bool is_first_time(const char *line, size_t bytes)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    bool first;

    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ (unsigned char)line[i]) * 1099511628211u;
    dl__mutex_lock(&warned_lock);
    first = warned_count < WARNED_MAX;
    for (size_t i = 0; i < warned_count; i++)
        first = first && warned[i] != hash;
    if (first)
        warned[warned_count++] = hash;
    dl__mutex_unlock(&warned_lock);
    return first;
}

static bool is_word_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* A layout's name, however it is written, and a bracket after it. */
static bool names_buffers(const char *at, const char *end)
{
    static const char *const layouts[] = {"aos", "soa", "asta"};

    for (const char *word = at; word < end; word++) {
        size_t bytes = 0;

        while (word + bytes < end && is_word_byte(word[bytes]))
            bytes++;
        for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
            if (bytes == strlen(layouts[i]) && strncasecmp(word, layouts[i], bytes) == 0)
                return memchr(word, '[', (size_t)(end - word)) != NULL;
        word += bytes;
    }
    return false;
}

/* Says why the comment is not an annotation; NULL: it is one, or was not meant to be. */
static const char *what_is_wrong(const char *comment, const char *end)
{
    bool block = comment[1] == '*', decorated;
    const char *at = comment + 2, *word;

    while (at < end && strchr(" \t", *at))
        at++;
    word = at;
    while (word < end && strchr("/*! \t", *word))
        word++;
    decorated = word != at;
    if (end - word < 3 || strncasecmp(word, "dl", 2) != 0 || is_word_byte(word[2]) ||
        !names_buffers(word + 2, end))
        return NULL;
    if (block)
        return "an annotation is a line comment that begins with `//DL:`";
    if (word[0] != 'D' || word[1] != 'L')
        return "`DL` is written in capitals";
    if (word[2] != ':')
        return "a colon must follow `DL`";
    return decorated ? "between `//` and `DL:` there may be blanks only" : NULL;
}

static void warn_of_line(const char *text, const char *line, const char *comment,
                         const char *reason, unsigned number)
{
    char what[256];
    const struct dl_remark remark = {DL_WARNING, "<program source>", number,
                                     (unsigned)(comment - line) + 1, what};

    snprintf(
        what, sizeof what,
        "this comment looks like an annotation but is none, so DL ignores it: %s; write "
        "`//DL: AoS: buffer[count]`",
        reason);
    dl__log_remark_in(text, &remark);
}

/* Warns of each comment of a program's text that was meant to be an annotation, judging
 * by its words, and that DL does not read as one; of each line once a process. Threads:
 * safe. */
static void warn_of_lookalikes(const char *text, size_t bytes)
{
    const char *end = text + bytes, *line = text;

    for (unsigned number = 1; line < end; number++) {
        const char *line_end = memchr(line, '\n', (size_t)(end - line));

        if (!line_end)
            line_end = end;
        for (const char *at = line; (at = memchr(at, '/', (size_t)(line_end - at)));
             at++) {
            const char *reason;

            if (line_end - at < 2 || (at[1] != '/' && at[1] != '*'))
                continue;
            reason = what_is_wrong(at, line_end);
            if (reason && is_first_time(line, (size_t)(line_end - line)))
                warn_of_line(text, line, at, reason, number);
            if (reason || at[1] == '/')
                break;
        }
        line = line_end + 1;
    }
}

/* ---- the facts ---- */

enum { KERNELS_MAX = 1000, MESSAGES_MAX = 200, LINE_BYTES = 512 };

static struct dl__mutex lock = DL__MUTEX_INITIALIZER;
static struct facts seen DL__GUARDED_BY(lock);
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
    struct message *more = NULL;
    bool known = false;

    dl__mutex_lock(&lock);
    for (size_t i = 0; i < seen.message_count && !known; i++)
        known = strcmp(seen.messages[i].text, text) == 0;
    if (!known && seen.message_count < MESSAGES_MAX)
        more = realloc(seen.messages, (seen.message_count + 1) * sizeof *more);
    if (more) {
        seen.messages = more;
        more[seen.message_count] = (struct message){(int)level, strdup(text)};
        seen.message_count += more[seen.message_count].text != NULL;
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

/* ---- annotations beside the program ---- */

static int by_name(const void *left, const void *right)
{
    return strcmp(((const struct side_fact *)left)->kernel,
                  ((const struct side_fact *)right)->kernel);
}

static bool add_entry(const char *line)
{
    struct side_fact fact = {.kernel = NULL}, *more;
    int name_at = 0;
    const char *colon;

    if (sscanf(line, "%u %n", &fact.line, &name_at) != 1 || !name_at ||
        !(colon = strchr(line + name_at, ':')))
        return true;
    dl__mutex_lock(&lock);
    more = realloc(seen.side, (seen.side_count + 1) * sizeof *more);
    if (more) {
        seen.side = more;
        fact.kernel = strndup(line + name_at, (size_t)(colon - line) - (size_t)name_at);
        if (fact.kernel)
            more[seen.side_count++] = fact;
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
    seen.side_path = options->values[DL_OPTION_annotations].text;
    if (seen.side_count)
        qsort(seen.side, seen.side_count, sizeof *seen.side, by_name);
    dl__mutex_unlock(&lock);
}

/* The first entry of that name, others follow it; seen.side_count: none. */
static DL__REQUIRES(lock) size_t find_entry(const char *name, size_t bytes)
{
    size_t low = 0, high = seen.side_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strncmp(seen.side[middle].kernel, name, bytes) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < seen.side_count && strncmp(seen.side[low].kernel, name, bytes) == 0 &&
        seen.side[low].kernel[bytes] == '\0')
        return low;
    return seen.side_count;
}

static DL__REQUIRES(lock) void match(const char *name, size_t bytes, bool made)
{
    for (size_t i = find_entry(name, bytes);
         i < seen.side_count && strncmp(seen.side[i].kernel, name, bytes) == 0 &&
         seen.side[i].kernel[bytes] == '\0';
         i++) {
        seen.side[i].in_text = true;
        seen.side[i].made |= made;
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
    for (size_t at = 0; seen.side_count && at < bytes; at++) {
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

/* A field: what would end it becomes a blank. */
static void print_field(FILE *out, const char *text)
{
    for (; *text; text++)
        fputc(*text == '\t' || *text == '\n' || *text == '\r' ? ' ' : *text, out);
}

/* A line of two fields. */
static void print_line(FILE *out, const char *kind, const char *text)
{
    fprintf(out, "%s\t", kind);
    print_field(out, text);
    fputc('\n', out);
}

static void facts_say(void);

static void begin_opencl(void)
{
    const struct dl__options *options = dl__options_get();

    dl__stats_say_first(facts_say);
    read_side_file();
    dl__mutex_lock(&lock);
    seen.opencl = true;
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

void dl__facts_program(enum dl__origin origin)
{
    dl__mutex_lock(&lock);
    seen.programs[origin]++;
    dl__mutex_unlock(&lock);
}

bool dl__facts_all_unread(void)
{
    const unsigned *programs = seen.programs;
    bool unread;

    dl__mutex_lock(&lock);
    unread = programs[DL__FROM_BINARY] + programs[DL__FROM_IL] > 0 &&
             programs[DL__FROM_SOURCE] + programs[DL__FROM_KNOWN_BINARY] == 0;
    dl__mutex_unlock(&lock);
    return unread;
}

void dl__facts_text(const char *text, size_t bytes)
{
    warn_of_lookalikes(text, bytes);
    if (dl__options_get()->side)
        match_text(text, bytes);
}

void dl__facts_build_failed(int code, const char *log)
{
    enum { LOG_LINES_MAX = 12 };
    char *text = NULL, *lines = strdup(log), *rest, *line;
    size_t bytes;
    FILE *out = report_path && lines ? open_memstream(&text, &bytes) : NULL;

    if (!out)
        goto out;
    fprintf(out, "failed\t%d\n", code);
    line = strtok_r(lines, "\n", &rest);
    for (int i = 0; line && i < LOG_LINES_MAX; i++, line = strtok_r(NULL, "\n", &rest))
        print_line(out, "log", line);
    if (fclose(out) == 0)
        dl__append_file(report_path, text);
    free(text);
out:
    free(lines);
}

void dl__facts_kernel(const char *name, enum dl__origin origin, enum dl__text_has has)
{
    struct kernel_fact *more = NULL;
    size_t i = 0;

    if (!wanted(origin))
        return;
    pthread_once(&end_once, at_the_end);
    if (!name)
        name = "(unnamed)";
    dl__mutex_lock(&lock);
    match(name, strlen(name), true);
    while (i < seen.kernel_count &&
           (seen.kernels[i].origin != origin || strcmp(seen.kernels[i].name, name) != 0))
        i++;
    if (i < seen.kernel_count && seen.kernels[i].has < has)
        seen.kernels[i].has = has;
    else if (i == seen.kernel_count && i < KERNELS_MAX)
        more = realloc(seen.kernels, (i + 1) * sizeof *more);
    if (more) {
        seen.kernels = more;
        more[i] = (struct kernel_fact){strdup(name), origin, has};
        seen.kernel_count += more[i].name != NULL;
    }
    dl__mutex_unlock(&lock);
}

static const char *find_unfollowed(const struct facts *facts, const char *kernel)
{
    for (size_t i = 0; i < facts->unfollowed_count; i++)
        if (strcmp(facts->unfollowed[i].kernel, kernel) == 0)
            return facts->unfollowed[i].why;
    return NULL;
}

/* What is found by itself is left as it is for the same reasons for which what is
 * annotated is not transformed. Where a hint says what to change, that has to be. */
void dl__facts_remark(const struct dl_remark *remark)
{
    static const char begin[] = "kernel '";
    const char *name = remark->text + sizeof begin - 1, *end, *reason;
    struct unfollowed *more = NULL;
    char *kernel = NULL, *why = NULL;

    if (strncmp(remark->text, begin, sizeof begin - 1) != 0 ||
        !(end = strchr(name, '\'')) || !(reason = strstr(end, ": ")) ||
        (!memmem(end, (size_t)(reason - end), " left as it is", 14) &&
         !memmem(end, (size_t)(reason - end), " is not transformed", 19)) ||
        !dl_remark_hint(remark))
        return;
    kernel = strndup(name, (size_t)(end - name));
    if (kernel && asprintf(&why, "%s%s", dl__why_text(DL__WHY_NOT_FOLLOWED), reason) < 0)
        why = NULL;
    dl__mutex_lock(&lock);
    if (why && seen.unfollowed_count < KERNELS_MAX && !find_unfollowed(&seen, kernel))
        more = realloc(seen.unfollowed, (seen.unfollowed_count + 1) * sizeof *more);
    if (more) {
        seen.unfollowed = more;
        more[seen.unfollowed_count++] = (struct unfollowed){kernel, why};
    }
    dl__mutex_unlock(&lock);
    if (!more) {
        free(kernel);
        free(why);
    }
}

bool dl__facts_any_not_followed(void)
{
    bool any;

    dl__mutex_lock(&lock);
    any = seen.unfollowed_count > 0;
    dl__mutex_unlock(&lock);
    return any;
}

const char *dl__facts_not_followed(const char *kernel)
{
    const char *why;

    dl__mutex_lock(&lock);
    why = find_unfollowed(&seen, kernel);
    dl__mutex_unlock(&lock);
    return why;
}

void dl__facts_verified(enum dl__verified how)
{
    dl__mutex_lock(&lock);
    seen.verified[how]++;
    dl__mutex_unlock(&lock);
}

enum { UNMATCHED_SAID_MAX = 10, ABSENT_NAMED_MAX = 4, NAMES_BYTES = 200 };

/* The launches of one kernel; NULL: of all. */
struct launches {
    const char *kernel;
    uint64_t transformed, native;
};

static void add_launches(const struct dl__counted *counted, void *user)
{
    struct launches *sum = user;

    for (size_t i = 0; i < counted->kernel_count; i++) {
        if (sum->kernel && strcmp(sum->kernel, counted->kernels[i].name) != 0)
            continue;
        sum->transformed += counted->kernels[i].rewritten.launches;
        sum->native += counted->kernels[i].native.launches;
    }
}

/* ---- annotations beside the program ---- */

/* The name of a kernel that was seen and that a side file's may have been meant for;
 * NULL: none. */
static const char *nearest_kernel(const struct facts *facts, const char *name)
{
    const char *best = NULL;
    size_t best_apart = SIZE_MAX;

    for (size_t i = 0; i < facts->kernel_count; i++) {
        size_t apart = dl_word_distance(name, strlen(name), facts->kernels[i].name);

        if (apart < best_apart) {
            best = facts->kernels[i].name;
            best_apart = apart;
        }
    }
    return best;
}

/* The kernel of that name whose text DL does not have; NULL: there is none. */
static const struct kernel_fact *find_without_text(const struct facts *facts,
                                                   const char *name)
{
    for (size_t i = 0; i < facts->kernel_count; i++)
        if (facts->kernels[i].origin != DL__FROM_SOURCE &&
            facts->kernels[i].origin != DL__FROM_KNOWN_BINARY &&
            !is_followed(&facts->kernels[i]) && strcmp(facts->kernels[i].name, name) == 0)
            return &facts->kernels[i];
    return NULL;
}

static void say_unmatched(const struct facts *facts, const struct side_fact *fact)
{
    const char *nearest = nearest_kernel(facts, fact->kernel);
    char text[512];
    struct dl_remark remark = {DL_WARNING, facts->side_path, fact->line, 1, text};

    const struct kernel_fact *kernel = find_without_text(facts, fact->kernel);

    if (kernel && kernel->origin == DL__FROM_IL)
        snprintf(
            text, sizeof text,
            "kernel '%s' came from IL (SPIR-V), which DL does not read, so it runs as "
            "written; have the program build it from OpenCL C",
            fact->kernel);
    else if (kernel)
        snprintf(text, sizeof text,
                 "kernel '%s' came from a binary, so DL has no text to rewrite and it "
                 "runs as written; empty the program's cache of binaries once",
                 fact->kernel);
    else if (nearest)
        snprintf(
            text, sizeof text,
            "the program has no kernel '%s', so this annotation does nothing; did you "
            "mean '%s'?",
            fact->kernel, nearest);
    else
        snprintf(text, sizeof text,
                 "the program built no kernel '%s', so this annotation does nothing",
                 fact->kernel);
    dl_remark_point(&remark, NULL);
    dl__log_remark_in(NULL, &remark);
}

static bool has_effect(const struct facts *facts, const struct side_fact *fact)
{
    return fact->in_text && !(fact->made && find_without_text(facts, fact->kernel));
}

/* True of a kernel that the program has nothing like: a file may be for several programs.
 */
static bool is_absent(const struct facts *facts, const struct side_fact *fact)
{
    return !has_effect(facts, fact) && !find_without_text(facts, fact->kernel) &&
           !nearest_kernel(facts, fact->kernel);
}

/* Those are one line. */
static void say_absent(const struct facts *facts)
{
    char text[512];
    int used = 0;
    size_t count = 0;
    const struct side_fact *first = NULL;

    for (size_t i = 0; i < facts->side_count; i++) {
        if (!is_absent(facts, &facts->side[i]))
            continue;
        first = first ? first : &facts->side[i];
        if (count++ < ABSENT_NAMED_MAX)
            used += snprintf(text + used, sizeof text - (size_t)used, "%s'%.60s'",
                             count > 1 ? ", " : "", facts->side[i].kernel);
    }
    if (count == 1) {
        say_unmatched(facts, first);
    } else if (count) {
        if (count > ABSENT_NAMED_MAX)
            snprintf(text + used, sizeof text - (size_t)used, " and %zu more",
                     count - ABSENT_NAMED_MAX);
        dl__log(DL__LOG_WARNING,
                "%s: the program built no kernels %s, so their annotations do nothing",
                facts->side_path, text);
    }
}

static void say_side(const struct facts *facts)
{
    size_t said = 0;

    say_absent(facts);
    for (size_t i = 0; i < facts->side_count; i++)
        if (!has_effect(facts, &facts->side[i]) && !is_absent(facts, &facts->side[i]) &&
            said++ < UNMATCHED_SAID_MAX)
            say_unmatched(facts, &facts->side[i]);
    if (said > UNMATCHED_SAID_MAX)
        dl__log(DL__LOG_WARNING, "%s: annotations that do nothing, too: %zu more",
                facts->side_path, said - UNMATCHED_SAID_MAX);
}

/* ---- closing lines ---- */

/* "a, b and more"; of the kernels of that kind. */
static const char *list_kernels(const struct facts *facts, char *out,
                                bool (*is_one)(const struct kernel_fact *kernel))
{
    size_t used = 0;

    *out = '\0';
    for (size_t i = 0; i < facts->kernel_count; i++) {
        if (!is_one(&facts->kernels[i]))
            continue;
        if (used + strlen(facts->kernels[i].name) + 16 > NAMES_BYTES) {
            strcpy(out + used, " and more");
            break;
        }
        used +=
            (size_t)sprintf(out + used, "%s%s", used ? ", " : "", facts->kernels[i].name);
    }
    return out;
}

/* One that needs what it can't have has had its error. */
static bool is_in_unknown_binary(const struct kernel_fact *kernel)
{
    return !is_followed(kernel) && kernel->origin == DL__FROM_BINARY;
}

static bool is_in_il(const struct kernel_fact *kernel)
{
    return !is_followed(kernel) && kernel->origin == DL__FROM_IL;
}

static bool is_idle(const struct kernel_fact *kernel)
{
    struct launches sum = {.kernel = kernel->name};

    dl__stats_visit(add_launches, &sum);
    return kernel->has == DL__HAS_ANNOTATIONS && sum.transformed + sum.native == 0;
}

/* A program whose kernels come from a cache of its own looks as if DL did nothing. Where
 * a side file names kernels, each of them has had its line. */
static void say_binaries(const struct facts *facts)
{
    const struct dl__options *options = dl__options_get();
    const char *cache = options->values[DL_OPTION_cache].text;
    char names[NAMES_BYTES + 16];

    if (facts->side_count || dl__options_as_written(options))
        return;
    if (*list_kernels(facts, names, is_in_il))
        dl__log(DL__LOG_WARNING,
                "kernels came from IL (SPIR-V), which DL does not read, and run as "
                "written: %s; have the program build them from OpenCL C",
                names);
    if (!*list_kernels(facts, names, is_in_unknown_binary))
        return;
    if (cache && strcmp(cache, "off") == 0)
        dl__log(DL__LOG_WARNING,
                "kernels came from binaries whose source DL does not have, and run as "
                "written: %s; turn off the program's cache (of pyopencl: "
                "PYOPENCL_NO_CACHE=1), or empty it and leave DL's on",
                names);
    else
        dl__log(
            DL__LOG_WARNING,
            "kernels came from binaries that DL did not see built, and run as "
            "written: %s; empty the program's cache once, or turn it off (of pyopencl: "
            "PYOPENCL_NO_CACHE=1)",
            names);
}

static void say_idle(const struct facts *facts)
{
    char names[NAMES_BYTES + 16];

    if (!dl__options_as_written(dl__options_get()) &&
        *list_kernels(facts, names, is_idle))
        dl__stderr_say("dl: annotated, but never launched: %s\n", names);
}

static void say_verified(const struct facts *facts)
{
    const unsigned long *of = facts->verified;
    unsigned long compared = of[DL__SAME] + of[DL__DIFFERENT] + of[DL__UNREPEATABLE];
    char rest[160] = "";
    size_t used = 0;

    if (compared == 0) {
        dl__log(DL__LOG_WARNING, "verify: no launch was compared, since %s%s",
                of[DL__NOT_COMPARED] ? "none could be" : "none was transformed",
                !of[DL__NOT_COMPARED] && dl__options_get()->layout_auto
                    ? "; --layout asta or da transforms all that it can"
                    : "");
        return;
    }
    if (of[DL__DIFFERENT])
        used += (size_t)sprintf(rest + used, ", %lu different", of[DL__DIFFERENT]);
    if (of[DL__UNREPEATABLE])
        used +=
            (size_t)sprintf(rest + used, ", %lu of kernels that do not repeat themselves",
                            of[DL__UNREPEATABLE]);
    if (of[DL__NOT_COMPARED])
        sprintf(rest + used, "; %lu could not be compared", of[DL__NOT_COMPARED]);
    if (dl__log_threshold() >= DL__LOG_WARNING)
        dl__stderr_say("dl: verify: %lu launch%s compared: %lu equal%s\n", compared,
                       compared == 1 ? "" : "es", of[DL__SAME], rest);
}

/* The lines that are said at the end. */
static void say_all(const struct facts *facts)
{
    const struct dl__options *options = dl__options_get();

    say_side(facts);
    say_binaries(facts);
    if (options->stats && !options->stats_path)
        say_idle(facts);
    if (options->verify_every)
        say_verified(facts);
}

/* ---- the report ---- */

struct printing {
    FILE *out;
    const struct facts *facts;
};

static void print_kernel(FILE *out, const char *name, unsigned origin, unsigned has,
                         const struct dl__kernel_row *row)
{
    char layout[24];

    fputs("kernel\t", out);
    print_field(out, name);
    fprintf(out, "\t%u\t%u\t%" PRIu64 "\t%" PRIu64 "\t", origin, has,
            row ? row->rewritten.launches : 0, row ? row->native.launches : 0);
    for (size_t b = 0; row && b < row->buffer_count; b++) {
        dl__stats_print_layout(layout, sizeof layout, row->buffers[b].layout);
        fprintf(out, "%s%s:%s", b ? " " : "",
                row->buffers[b].name ? row->buffers[b].name : "", layout);
    }
    fputc('\t', out);
    print_field(out, row && row->native.why ? row->native.why : "");
    fputc('\n', out);
}

static void print_counted(const struct dl__counted *counted, void *user)
{
    const struct printing *printing = user;
    const struct facts *facts = printing->facts;
    char *next = dl__summary(counted, false);

    if (counted->device_name[0])
        print_line(printing->out, "device", counted->device_name);
    for (size_t i = 0; i < facts->kernel_count; i++) {
        const struct kernel_fact *kernel = &facts->kernels[i];
        const struct dl__kernel_row *row = NULL;

        for (size_t r = 0; r < counted->kernel_count && !row; r++)
            if (strcmp(counted->kernels[r].name, kernel->name) == 0)
                row = &counted->kernels[r];
        print_kernel(printing->out, kernel->name, (unsigned)kernel->origin,
                     kernel->has == DL__HAS_NOTHING &&
                             find_unfollowed(facts, kernel->name)
                         ? DL__NOT_FOLLOWED
                         : (unsigned)kernel->has,
                     row);
    }
    for (size_t d = 0; d < counted->decision_count; d++)
        print_line(printing->out, "policy", counted->decisions[d]);
    if (next)
        fprintf(printing->out, "next\t%s\n", next);
    free(next);
}

static void print_rest(FILE *out, const struct facts *facts)
{
    fputs("programs", out);
    for (int i = 0; i < DL__ORIGINS; i++)
        fprintf(out, "\t%u", facts->programs[i]);
    fputc('\n', out);
    for (size_t i = 0; i < facts->side_count; i++) {
        const struct side_fact *fact = &facts->side[i];
        const char *nearest = nearest_kernel(facts, fact->kernel);

        if (has_effect(facts, fact))
            continue;
        fprintf(out, "unmatched\t%u\t%s\t%s\n", fact->line, fact->kernel,
                nearest && strcmp(nearest, fact->kernel) != 0 ? nearest : "");
    }
}

static void print_messages(FILE *out, const struct facts *facts)
{
    for (size_t i = 0; i < facts->message_count; i++) {
        fprintf(out, "said\t%d\t", facts->messages[i].level);
        print_field(out, facts->messages[i].text);
        fputc('\n', out);
    }
}

/* Appends the facts to the report. */
static void write_report(const struct facts *facts, const char *path)
{
    struct printing printing = {.facts = facts};
    char *text = NULL;
    size_t bytes;

    printing.out = open_memstream(&text, &bytes);
    if (!printing.out)
        return;
    fprintf(printing.out, "end\t%ld\n", (long)getpid());
    if (facts->opencl)
        dl__stats_visit(print_counted, &printing);
    if (facts->opencl)
        print_rest(printing.out, facts);
    print_messages(printing.out, facts);
    if (fclose(printing.out) == 0)
        dl__append_file(path, text);
    free(text);
}

/* ---- the end ---- */

/* The process ends: says its lines once. They are not messages of the run; nobody adds to
 * a copy. */
static void facts_say(void)
{
    static atomic_bool said;
    struct facts now;

    if (getpid() != owner || atomic_exchange(&said, true))
        return;
    dl__log_listen(NULL);
    dl__mutex_lock(&lock);
    now = seen;
    dl__mutex_unlock(&lock);
    if (now.opencl)
        say_all(&now);
    dl__log_listen(report_path ? listen_to : NULL);
}

void dl__facts_end(void)
{
    static atomic_bool ended;
    struct facts last;

    if (getpid() != owner || atomic_exchange(&ended, true))
        return;
    facts_say();
    dl__log_listen(NULL);
    dl__mutex_lock(&lock);
    last = seen;
    seen.kernel_count = seen.side_count = seen.message_count = 0;
    seen.kernels = NULL;
    seen.side = NULL;
    seen.messages = NULL;
    dl__mutex_unlock(&lock);
    if (report_path)
        write_report(&last, report_path);
    /* The process ends: its lists go with it. */
}

/* ---- a process that made no context ---- */

enum { PATH_BYTES = 256 };

static char wishes[128]; /* "--stats, --verify" */

static bool ends_in(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');

    return slash && strncmp(slash, name, strlen(name)) == 0;
}

/* The library of a loader that is in this process, by which calls may go past DL; "":
 * there is none, or another DL beside this one, which they go to. As the kernel lists
 * them: what is in a namespace of its own (dlmopen) dl_iterate_phdr does not see. */
static void find_loader(char *path)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char *line = NULL;
    size_t room = 0;
    unsigned own = 0;

    *path = '\0';
    while (maps && getline(&line, &room, maps) >= 0) {
        char *at = strchr(line, '/');
        unsigned long long offset = 1;

        if (!at || sscanf(line, "%*s %*s %llx", &offset) != 1 || offset != 0)
            continue;
        own += ends_in(at, "/libdl_intercept.so");
        if (ends_in(at, "/libOpenCL"))
            snprintf(path, PATH_BYTES, "%.*s", (int)strcspn(at, "\n"), at);
    }
    free(line);
    if (maps)
        fclose(maps);
    if (own > 1)
        *path = '\0';
}

/* Whether it has had children that have ended. */
static bool had_children(void)
{
    struct rusage used;

    return getrusage(RUSAGE_CHILDREN, &used) == 0 && used.ru_maxrss > 0;
}

static void say_unused(const char *loader)
{
    const char *name = program_invocation_short_name;

    dl__stderr_use_held();
    /* A child that was forked uses the loader that its parent has brought. */
    if (*loader && had_children())
        dl__log(DL__LOG_WARNING,
                "%s itself made no OpenCL context that DL saw, so %s has nothing to "
                "report for it; the programs that it started report for themselves. If "
                "it used OpenCL itself, its "
                "calls went to %s past DL: see dl-run --doctor",
                name, wishes, loader);
    else if (*loader)
        dl__log(
            DL__LOG_WARNING,
            "%s made no OpenCL context that DL saw, so %s has nothing to report; if it "
            "used OpenCL, its calls went to %s past DL (RTLD_DEEPBIND or dlmopen, and "
            "a loader that takes no layers): put a loader that does, such as "
            "ocl-icd's or Khronos's, first in LD_LIBRARY_PATH",
            name, wishes, loader);
    else if (had_children())
        dl__log(DL__LOG_WARNING,
                "%s itself made no OpenCL context, so %s has nothing to report for it; "
                "the programs that it started report for themselves",
                name, wishes);
    else
        dl__log(DL__LOG_WARNING, "%s used no OpenCL, so %s has nothing to report", name,
                wishes);
}

/* Tells of a process that made no context: in the report, and for people where something
 * was to be watched (--stats, --trace, --advise, --verify, --explain-policy). */
static void end_unused(void)
{
    char loader[PATH_BYTES];
    bool any;

    dl__mutex_lock(&lock);
    any = seen.opencl;
    dl__mutex_unlock(&lock);
    if (getpid() != owner || any)
        return;
    find_loader(loader);
    if (report_path && *loader)
        append_line("past", loader);
    if (*wishes)
        say_unused(loader);
}

static bool is_started_by_dl_run(void)
{
    const char *process = dl_environment_get("DL_RUN_PROCESS");

    return process && strtol(process, NULL, 10) == (long)getpid();
}

static void add_wish(enum dl_option option)
{
    struct dl_option_value value;
    char wrong[DL_OPTION_TEXT_BYTES];
    const size_t used = strlen(wishes);

    if (dl_option_read(option, &value, wrong) == DL_OK && value.text &&
        !dl_option_is(&value, "off"))
        snprintf(wishes + used, sizeof wishes - used, "%s--%s", used ? ", " : "",
                 dl_option_row(option)->flag);
    dl_option_value_free(&value);
}

/* A layer is in the process because of a loader, and may be staying out. */
static bool is_preloaded(void)
{
    const char *preload = secure_getenv("LD_PRELOAD");

    return preload && strstr(preload, "libdl_intercept.so");
}

/* In every process that DL is loaded into: that it was is a fact, too. What was to be
 * watched is said of the process alone that dl-run became, which dl-run names in a
 * variable: a script starts many more that have nothing to do with OpenCL. */
__attribute__((constructor)) static void begin(void)
{
    static const enum dl_option watching[] = {DL_OPTION_stats, DL_OPTION_trace,
                                              DL_OPTION_advise, DL_OPTION_verify,
                                              DL_OPTION_explain_policy};
    struct dl_option_value report;
    char wrong[DL_OPTION_TEXT_BYTES];

    owner = getpid();
    if (dl_option_read(DL_OPTION_report, &report, wrong) == DL_OK && report.text) {
        report_path = report.text;
        dl__log_listen(listen_to);
        append_line("process", program_invocation_name);
        pthread_once(&end_once, at_the_end);
    }
    if (!is_preloaded())
        return;
    if (is_started_by_dl_run())
        for (size_t i = 0; i < sizeof watching / sizeof *watching; i++)
            add_wish(watching[i]);
    if (*wishes) {
        dl__stderr_begin();
        dl__stderr_hold();
    }
    /* Before the program's own exit handlers, so that what is said comes behind theirs.
     */
    if (*wishes || report_path)
        atexit(end_unused);
}
