/* SPDX-License-Identifier: MIT */
/* Keeps facts, advice and statistics of the program's run, and tells them when the
 * process ends: as lines for people, as advice, as statistics and in the report. Device
 * times come from the events' profiling information, read when the events have
 * completed, in batches. */
#include "stats.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
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
#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/locks.h"
#include "layout/c_locale.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "options/options.h"
#include "reasons.h"
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

/* Texts, each once, which live as long as the process. */
struct texts {
    struct text {
        int level; /* of a message, as in enum dl__log_level */
        char *text, *why;
    } * items;
    size_t count;
};

struct facts {
    bool opencl;
    unsigned programs[DL__ORIGINS];
    unsigned long verified[DL__VERIFIED_COUNT];
    struct kernel_fact *kernels;
    size_t kernel_count;
    struct side_fact *side;
    size_t side_count;
    const char *side_path;
    struct texts messages;
    struct texts left;       /* kernels, and why; `level` as in enum dl__why */
    struct texts annotated;  /* kernels that need no advice */
    struct texts obstacles;  /* for advice */
    struct advised *advised; /* launches */
};

enum { KERNELS_MAX = 1000, MESSAGES_MAX = 200, LINE_BYTES = 512 };

static struct dl__mutex lock = DL__MUTEX_INITIALIZER;
static struct facts seen DL__GUARDED_BY(lock);
static struct facts told; /* what was, when the process ends */
static char *report_path; /* NULL: none; set before main */
static pid_t owner;

/* Makes room for one element more in the array, which may move. False: out of memory. */
static bool grow(void *array, size_t count, size_t element_bytes)
{
    void *more;

    memcpy(&more, array, sizeof more);
    more = realloc(more, (count + 1) * element_bytes);
    if (more)
        memcpy(array, &more, sizeof more);
    return more;
}

static const struct text *find_text(const struct texts *texts, const char *text)
{
    for (size_t i = 0; i < texts->count; i++)
        if (strcmp(texts->items[i].text, text) == 0)
            return &texts->items[i];
    return NULL;
}

/* Takes over the two strings, the second of which may be NULL. */
static DL__REQUIRES(lock) void add_text(struct texts *texts, int level, char *text,
                                        char *why)
{
    if (text && texts->count < KERNELS_MAX && !find_text(texts, text) &&
        grow(&texts->items, texts->count, sizeof *texts->items)) {
        texts->items[texts->count++] = (struct text){level, text, why};
        return;
    }
    free(text);
    free(why);
}

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

    snprintf(what, sizeof what,
             "this comment looks like an annotation but is not one, so DL ignores it: "
             "%s; write "
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

/* ---- facts ---- */

/* Whether kernels of that origin have to be kept apart by name. Of those from binaries DL
 * can't see whether they are annotated, which is told. */
static bool wanted(enum dl__origin origin)
{
    const struct dl__options *options = dl__options_get();

    return report_path || options->stats || options->side || options->advise ||
           origin == DL__FROM_BINARY || origin == DL__FROM_IL;
}

static void listen_to(enum dl__log_level level, const char *text)
{
    dl__mutex_lock(&lock);
    if (seen.messages.count < MESSAGES_MAX)
        add_text(&seen.messages, (int)level, strdup(text), NULL);
    dl__mutex_unlock(&lock);
}

static void append_line(const char *kind, const char *rest)
{
    char line[LINE_BYTES];

    snprintf(line, sizeof line, "%s\t%ld%s%s\n", kind, (long)getpid(), *rest ? "\t" : "",
             rest);
    dl__append_file(report_path, line);
}

/* Registered early for processes that use no OpenCL, and again when a driver is loaded
 * and when it has a queue, so that it runs before the driver's own end. */
static void register_end(void)
{
    atexit(dl__reports_end);
}

/* The side file's lines, as dl_side_file_text has them behind its path: "LINE KERNEL:
 * ...". */
static DL__REQUIRES(lock) void read_side_file(const struct dl__options *options)
{
    char *text = options->side ? dl_side_file_text(options->side) : NULL, *rest, *line;

    seen.side_path = options->values[DL_OPTION_annotations].text;
    line = text ? strtok_r(text, "\n", &rest) : NULL;
    while (line && (line = strtok_r(NULL, "\n", &rest))) {
        struct side_fact fact = {.kernel = NULL};

        if (sscanf(line, "%u %m[^:]", &fact.line, &fact.kernel) == 2 &&
            grow(&seen.side, seen.side_count, sizeof fact))
            seen.side[seen.side_count++] = fact;
        else
            free(fact.kernel);
    }
    free(text);
}

/* True where the name stands in the text as a word. */
static bool has_word(const char *text, size_t bytes, const char *name)
{
    const char *end = text + bytes, *at = text;
    const size_t name_bytes = strlen(name);

    while ((at = memmem(at, (size_t)(end - at), name, name_bytes))) {
        if ((at == text || !is_word_byte(at[-1])) &&
            (at + name_bytes == end || !is_word_byte(at[name_bytes])))
            return true;
        at++;
    }
    return false;
}

static void begin_opencl(void)
{
    const struct dl__options *options = dl__options_get();

    dl__mutex_lock(&lock);
    read_side_file(options);
    seen.opencl = true;
    dl__mutex_unlock(&lock);
    if (report_path)
        append_line("opencl", "");
    /* A fork may be the first to use it. */
    owner = getpid();
    register_end();
}

void dl__facts_context(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, begin_opencl);
}

void dl__facts_program(enum dl__origin origin)
{
    dl__mutex_lock(&lock);
    seen.programs[origin]++;
    dl__mutex_unlock(&lock);
}

void dl__facts_text(const char *text, size_t bytes)
{
    warn_of_lookalikes(text, bytes);
    dl__mutex_lock(&lock);
    for (size_t i = 0; i < seen.side_count; i++)
        seen.side[i].in_text |= has_word(text, bytes, seen.side[i].kernel);
    dl__mutex_unlock(&lock);
}

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

void dl__facts_kernel(const char *name, enum dl__origin origin, enum dl__text_has has)
{
    size_t i = 0;

    if (!wanted(origin))
        return;
    if (!name)
        name = "(unnamed)";
    dl__mutex_lock(&lock);
    for (size_t s = 0; s < seen.side_count; s++)
        if (strcmp(seen.side[s].kernel, name) == 0)
            seen.side[s].in_text = seen.side[s].made = true;
    while (i < seen.kernel_count &&
           (seen.kernels[i].origin != origin || strcmp(seen.kernels[i].name, name) != 0))
        i++;
    if (i < seen.kernel_count && seen.kernels[i].has < has) {
        seen.kernels[i].has = has;
    } else if (i == seen.kernel_count && i < KERNELS_MAX &&
               grow(&seen.kernels, i, sizeof *seen.kernels)) {
        seen.kernels[i] = (struct kernel_fact){strdup(name), origin, has};
        seen.kernel_count += seen.kernels[i].name != NULL;
    }
    dl__mutex_unlock(&lock);
}

/* The first reason that is known of the kernel, or of any; NULL: none. */
static const struct text *find_left(const struct texts *left, const char *kernel)
{
    const struct text *first = NULL;

    for (size_t i = 0; i < left->count; i++)
        if ((!kernel || strcmp(left->items[i].text, kernel) == 0) &&
            (!first || left->items[i].level < first->level))
            first = &left->items[i];
    return first;
}

/* Takes over the strings. A reason that was told before stays where it is. */
static DL__REQUIRES(lock) void add_left(enum dl__why why, char *kernel, char *text)
{
    const struct text *first = kernel ? find_left(&seen.left, kernel) : NULL;
    struct texts *left = &seen.left;

    if (kernel && text && (!first || (int)why < first->level) &&
        left->count < KERNELS_MAX &&
        grow(&left->items, left->count, sizeof *left->items)) {
        left->items[left->count++] = (struct text){(int)why, kernel, text};
        return;
    }
    free(kernel);
    free(text);
}

/* "REASON; kernel 'NAME' runs as written", as it is said of annotations alone. */
static DL__REQUIRES(lock) void find_wrong(const char *text)
{
    static const char begin[] = "; kernel '";
    const char *at = strstr(text, begin), *name = at ? at + sizeof begin - 1 : NULL;
    const char *end = name ? strstr(name, "' runs as written") : NULL;
    char *why = NULL;

    if (end && asprintf(&why, "%s: %.*s", dl__why_text(DL__WHY_WRONG), (int)(at - text),
                        text) >= 0)
        add_left(DL__WHY_WRONG, strndup(name, (size_t)(end - name)), why);
}

/* Why DL converts no buffer of a kernel, and its name: what is found by itself is left as
 * it is for the same reasons for which what is annotated is not transformed.
 *   hinted  a hint says what to change, so an annotation does not help */
static DL__REQUIRES(lock) void find_why_left(const char *text, bool hinted)
{
    static const char begin[] = "kernel '";
    const char *name = text + sizeof begin - 1, *end, *reason;
    enum dl__why why = hinted ? DL__WHY_NOT_FOLLOWED : DL__WHY_NOTHING_FOUND;
    char *words = NULL;

    if (strncmp(text, begin, sizeof begin - 1) != 0 || !(end = strchr(name, '\'')) ||
        !(reason = strstr(end, ": ")) ||
        (!memmem(end, (size_t)(reason - end), " left as it is", 14) &&
         !memmem(end, (size_t)(reason - end), " is not rewritten", 17)))
        return;
    if (strstr(reason, "neighbouring work-items use the same struct"))
        why = DL__WHY_UNIFORM;
    if (asprintf(&words, "%s%s", dl__why_text(why),
                 why == DL__WHY_NOT_FOLLOWED ? reason : "") >= 0)
        add_left(why, strndup(name, (size_t)(end - name)), words);
}

void dl__facts_remark(const struct dl_remark *remark)
{
    const bool advise = dl__options_get()->advise;
    const char *hint = dl_remark_hint(remark);
    char place[512] = "", *text = NULL;

    if (!advise && !dl__options_get()->counts)
        return;
    if (remark->file && remark->line)
        snprintf(place, sizeof place, "%s:%u:%u: ", remark->file, remark->line,
                 remark->column);
    if (advise && asprintf(&text, "%s%s%s%s", place, remark->text,
                           hint ? "; to change: " : "", hint ? hint : "") < 0)
        text = NULL;
    dl__mutex_lock(&lock);
    find_wrong(remark->text);
    find_why_left(remark->text, hint != NULL);
    add_text(&seen.obstacles, 0, text, NULL);
    dl__mutex_unlock(&lock);
}

const char *dl__facts_why_left(const char *kernel)
{
    const struct text *found;
    const char *why;

    dl__mutex_lock(&lock);
    found = find_left(&seen.left, kernel);
    why = found ? found->why : NULL;
    dl__mutex_unlock(&lock);
    return why;
}

void dl__facts_verified(enum dl__verified how)
{
    dl__mutex_lock(&lock);
    seen.verified[how]++;
    dl__mutex_unlock(&lock);
}

/* ---- advice: launches ---- */

struct advised {
    struct advised *next;
    char *kernel;
    unsigned long launches;
    double speedup; /* the least of its launches */
    const char *layout;
    size_t count;
    struct dl__advised_buffer buffers[]; /* their annotations are owned */
};

/* The kernel's row, which has these buffers; NULL: there is none. */
static DL__REQUIRES(lock) struct advised *find_row(
    const char *kernel, const struct dl__advised_buffer *buffers, size_t count)
{
    for (struct advised *row = seen.advised; row; row = row->next) {
        bool same = strcmp(row->kernel, kernel) == 0 && row->count == count;

        for (size_t b = 0; b < count && same; b++)
            same = strcmp(row->buffers[b].annotation, buffers[b].annotation) == 0 &&
                   row->buffers[b].member_count == buffers[b].member_count;
        if (same)
            return row;
    }
    return NULL;
}

/* Without memory for all there are fewer. */
static DL__REQUIRES(lock) struct advised *make_row(
    const char *kernel, const struct dl__advised_buffer *buffers, size_t count)
{
    struct advised *row = calloc(1, sizeof *row + count * sizeof *row->buffers),
                   **last = &seen.advised;

    if (!row || !(row->kernel = strdup(kernel))) {
        free(row);
        return NULL;
    }
    for (; row->count < count; row->count++) {
        struct dl__advised_buffer *own = &row->buffers[row->count];

        *own = buffers[row->count];
        own->annotation = strdup(own->annotation);
        if (!own->annotation)
            break;
    }
    while (*last)
        last = &(*last)->next;
    return *last = row;
}

static void add_buffer(struct dl__advised_buffer *to,
                       const struct dl__advised_buffer *from)
{
    to->commands = from->commands > to->commands ? from->commands : to->commands;
    to->bytes = from->bytes > to->bytes ? from->bytes : to->bytes;
    to->native += from->native;
    to->apart += from->apart;
    for (size_t m = 0; m < from->member_count; m++) {
        to->members[m].used += from->members[m].used;
        to->members[m].fetched += from->members[m].fetched;
    }
}

void dl__advice_launch(const char *kernel, double speedup, const char *layout,
                       const struct dl__advised_buffer *buffers, size_t count)
{
    struct advised *row;

    if (!dl__options_get()->advise)
        return;
    dl__mutex_lock(&lock);
    row = find_row(kernel, buffers, count);
    for (size_t b = 0; row && b < row->count; b++)
        add_buffer(&row->buffers[b], &buffers[b]);
    if (!row)
        row = make_row(kernel, buffers, count);
    if (row) {
        if (row->launches++ == 0 || speedup < row->speedup)
            row->speedup = speedup;
        row->layout = layout;
    }
    dl__mutex_unlock(&lock);
}

void dl__advice_annotated(const char *kernel)
{
    if (!dl__options_get()->advise)
        return;
    dl__mutex_lock(&lock);
    add_text(&seen.annotated, 0, strdup(kernel), NULL);
    dl__mutex_unlock(&lock);
}

/* ---- statistics ---- */

enum { PENDING_FIRST = 256, NAMES_MAX = 1 << 14 };

/* Events whose times are still to be read; `row` is an index, rows move. */
struct pending {
    cl_event first, last;
    bool conversion, transformed, native_earlier;
    size_t row;
    uint64_t bytes, native_ns; /* as struct dl__launch_said */
};

static struct dl__mutex counted_lock = DL__MUTEX_INITIALIZER;
static struct dl__counted counted DL__GUARDED_BY(counted_lock);
static struct pending *pending DL__GUARDED_BY(counted_lock);
static size_t pending_count DL__GUARDED_BY(counted_lock);
static size_t pending_room DL__GUARDED_BY(counted_lock);
/* By number; whether a conversion told the name. */
static char *buffer_names[NAMES_MAX] DL__GUARDED_BY(counted_lock);
static bool told_by_conversion[NAMES_MAX] DL__GUARDED_BY(counted_lock);

static bool counts(void)
{
    return dl__options_get()->counts;
}

void dl__facts_build_failed(int code, const char *log)
{
    enum { LOG_LINES_MAX = 12 };
    char *text = NULL, *lines = strdup(log), *rest, *line;
    size_t bytes;
    FILE *out = report_path && lines ? open_memstream(&text, &bytes) : NULL;

    dl__mutex_lock(&counted_lock);
    counted.build_error = code;
    dl__mutex_unlock(&counted_lock);
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

/* ---- times ---- */

static DL__REQUIRES(counted_lock) void add_launch_time(const struct pending *item,
                                                       uint64_t ns)
{
    struct dl__kernel_row *row = &counted.kernels[item->row];
    struct dl__ran_row *ran = item->transformed ? &row->rewritten : &row->native;

    ran->timed++;
    ran->time_ns += ns;
    if (item->bytes) {
        ran->bytes += item->bytes;
        ran->bytes_time_ns += ns;
    }
    if (item->transformed && item->native_ns) {
        row->judged++;
        row->judged_earlier += item->native_earlier;
        row->judged_earlier_ns += item->native_earlier ? item->native_ns : 0;
        row->judged_time_ns += ns;
        row->judged_native_ns += item->native_ns;
    }
    if (!item->transformed && item->native_earlier) {
        row->again_time_ns += ns;
        row->again_earlier_ns += item->native_ns;
    }
}

static DL__REQUIRES(counted_lock) bool read_times(const struct pending *item)
{
    cl_int status = dl__event_status(item->last);
    uint64_t ns;

    if (status > CL_COMPLETE)
        return false;
    ns = status == CL_COMPLETE ? dl__event_ns(item->first, item->last) : 0;
    if (ns && item->conversion)
        counted.conversions[item->row].time_ns += ns;
    else if (ns)
        add_launch_time(item, ns);
    dl__next.clReleaseEvent(item->first);
    dl__next.clReleaseEvent(item->last);
    return true;
}

static DL__REQUIRES(counted_lock) void settle(void)
{
    size_t kept = 0;

    for (size_t i = 0; i < pending_count; i++) {
        if (!read_times(&pending[i]))
            pending[kept++] = pending[i];
    }
    pending_count = kept;
}

/* `item` has all but references of its own. */
static DL__REQUIRES(counted_lock) void add_pending(const struct pending *item)
{
    if (!item->first || !item->last)
        return;
    if (pending_count == pending_room) {
        settle();
        if (pending_room == 0 || pending_count > pending_room / 2) {
            struct pending *more =
                realloc(pending, (pending_room * 2 + PENDING_FIRST) * sizeof *more);

            if (!more)
                return; /* its time is missing */
            pending = more;
            pending_room = pending_room * 2 + PENDING_FIRST;
        }
    }
    if (!dl__event_share(item->first))
        return;
    if (!dl__event_share(item->last)) {
        dl__next.clReleaseEvent(item->first);
        return;
    }
    pending[pending_count++] = *item;
}

/* ---- counting ---- */

/* NULL: there is none. */
static DL__REQUIRES(counted_lock) struct dl__kernel_row *find_kernel(const char *name)
{
    for (size_t i = 0; i < counted.kernel_count; i++)
        if (strcmp(counted.kernels[i].name, name) == 0)
            return &counted.kernels[i];
    return NULL;
}

/* NULL: out of memory. */
static DL__REQUIRES(counted_lock) struct dl__kernel_row *kernel_row(const char *name)
{
    struct dl__kernel_row *row = find_kernel(name);

    if (row || !grow(&counted.kernels, counted.kernel_count, sizeof *row))
        return row;
    row = &counted.kernels[counted.kernel_count];
    *row = (struct dl__kernel_row){.name = strdup(name)};
    counted.kernel_count += row->name != NULL;
    return row->name ? row : NULL;
}

static void set_text(char **at, const char *text)
{
    if (*at && strcmp(*at, text) == 0)
        return;
    free(*at);
    *at = strdup(text);
}

void dl__stats_launch(const char *kernel, bool transformed,
                      const struct dl__launch_said *said, cl_event event)
{
    struct pending item = {.first = event, .last = event, .transformed = transformed};
    struct dl__kernel_row *row;
    struct dl__ran_row *ran;

    if (!counts())
        return;
    dl__mutex_lock(&counted_lock);
    row = kernel_row(kernel ? kernel : "(unnamed)");
    if (row) {
        ran = transformed ? &row->rewritten : &row->native;
        ran->launches++;
        if (said && *said->why)
            set_text(&ran->why, said->why);
        item.row = (size_t)(row - counted.kernels);
        item.bytes = said ? said->bytes : 0;
        item.native_earlier = said && said->native_earlier;
        item.native_ns = said ? (uint64_t)(said->native_seconds * 1e9) : 0;
        add_pending(&item);
    }
    dl__mutex_unlock(&counted_lock);
}

void dl__stats_binding(const char *kernel, unsigned arg_index, const char *buffer,
                       struct dl_layout layout, uint64_t structs)
{
    struct dl__kernel_row *row;
    size_t i = 0;

    if (!counts())
        return;
    dl__mutex_lock(&counted_lock);
    row = kernel_row(kernel);
    while (row && i < row->buffer_count && row->buffers[i].arg_index != arg_index)
        i++;
    if (row && i == row->buffer_count && grow(&row->buffers, i, sizeof *row->buffers))
        row->buffers[row->buffer_count++] =
            (struct dl__buffer_row){.arg_index = arg_index, .name = strdup(buffer)};
    if (row && i < row->buffer_count) {
        row->buffers[i].layout = layout;
        row->buffers[i].structs = structs;
    }
    dl__mutex_unlock(&counted_lock);
}

void dl__stats_between(const char *kernel, unsigned buffer, bool returned)
{
    struct dl__kernel_row *row;
    size_t i = 0;

    if (!counts())
        return;
    dl__mutex_lock(&counted_lock);
    row = kernel_row(kernel);
    if (row)
        row->between = true;
    while (row && i < row->returned_count && row->returned[i].buffer != buffer)
        i++;
    if (row && returned && i == row->returned_count &&
        grow(&row->returned, i, sizeof *row->returned))
        row->returned[row->returned_count++] =
            (struct dl__returned_row){.buffer = buffer};
    if (row && returned && i < row->returned_count)
        row->returned[i].count++;
    dl__mutex_unlock(&counted_lock);
}

void dl__stats_command(const char *name, unsigned buffer, enum dl__command_use use)
{
    struct dl__command_row *row;
    size_t i = 0;

    if (!counts())
        return;
    dl__mutex_lock(&counted_lock);
    while (i < counted.command_count &&
           (counted.commands[i].buffer != buffer || counted.commands[i].use != use ||
            strcmp(counted.commands[i].name, name) != 0))
        i++;
    if (i == counted.command_count && i < KERNELS_MAX &&
        grow(&counted.commands, i, sizeof *row))
        counted.commands[counted.command_count++] =
            (struct dl__command_row){.name = name, .buffer = buffer, .use = use};
    if (i < counted.command_count) {
        row = &counted.commands[i];
        row->count++;
        if (!row->buffer_name && buffer < NAMES_MAX)
            row->buffer_name = buffer_names[buffer];
    }
    dl__mutex_unlock(&counted_lock);
}

void dl__stats_conversion(unsigned buffer, uint64_t structs, uint32_t struct_bytes,
                          struct dl_layout from, struct dl_layout to, uint64_t bytes,
                          cl_event first, cl_event done)
{
    struct pending item = {.first = first, .last = done, .conversion = true};
    struct dl__conversion_row *row;
    size_t i = 0;

    if (!counts())
        return;
    dl__mutex_lock(&counted_lock);
    for (; i < counted.conversion_count; i++) {
        row = &counted.conversions[i];
        if (row->buffer == buffer && row->struct_bytes == struct_bytes &&
            row->from.kind == from.kind && row->to.kind == to.kind)
            break;
    }
    if (i == counted.conversion_count && grow(&counted.conversions, i, sizeof *row))
        counted.conversions[counted.conversion_count++] =
            (struct dl__conversion_row){.buffer = buffer,
                                        .structs = structs,
                                        .struct_bytes = struct_bytes,
                                        .from = from,
                                        .to = to};
    if (i < counted.conversion_count) {
        row = &counted.conversions[i];
        row->count++;
        row->bytes += bytes;
        if (!row->name && buffer < NAMES_MAX && buffer_names[buffer])
            row->name = strdup(buffer_names[buffer]);
        item.row = i;
        add_pending(&item);
    }
    dl__mutex_unlock(&counted_lock);
}

void dl__stats_buffer(unsigned buffer, const char *name, bool converts)
{
    if ((!converts && !counts()) || buffer >= NAMES_MAX || !name)
        return;
    dl__mutex_lock(&counted_lock);
    /* Its earlier name stays in memory, since rows point to it. */
    if (!buffer_names[buffer] || (converts && !told_by_conversion[buffer] &&
                                  strcmp(buffer_names[buffer], name) != 0))
        buffer_names[buffer] = strdup(name);
    told_by_conversion[buffer] |= converts;
    dl__mutex_unlock(&counted_lock);
}

const char *dl__stats_buffer_name(unsigned buffer)
{
    const char *name;

    dl__mutex_lock(&counted_lock);
    name = buffer < NAMES_MAX ? buffer_names[buffer] : NULL;
    dl__mutex_unlock(&counted_lock);
    return name;
}

void dl__stats_add(enum dl__stats_sum sum, double number)
{
    if (!counts())
        return;
    dl__mutex_lock(&counted_lock);
    counted.sums[sum] += number;
    dl__mutex_unlock(&counted_lock);
}

void dl__stats_decision(const char *why)
{
    enum { DECISIONS_MAX = 1000 };
    char **decision;

    if (!counts())
        return;
    dl__mutex_lock(&counted_lock);
    if (counted.decision_count < DECISIONS_MAX &&
        grow(&counted.decisions, counted.decision_count, sizeof *decision)) {
        decision = &counted.decisions[counted.decision_count];
        *decision = strdup(why);
        counted.decision_count += *decision != NULL;
    }
    dl__mutex_unlock(&counted_lock);
}

void dl__stats_settle(void)
{
    if (!counts())
        return;
    dl__mutex_lock(&counted_lock);
    settle();
    dl__mutex_unlock(&counted_lock);
}

unsigned dl__stats_references(cl_event event)
{
    unsigned count = 0;

    if (!counts())
        return 0;
    dl__mutex_lock(&counted_lock);
    for (size_t i = 0; i < pending_count; i++)
        count += (pending[i].first == event) + (pending[i].last == event);
    dl__mutex_unlock(&counted_lock);
    return count;
}

void dl__stats_device(cl_device_id device)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    cl_device_type type = 0;

    if (!counts())
        return;
    pthread_once(&once, register_end);
    dl__mutex_lock(&counted_lock);
    if (!counted.device_name[0]) {
        dl__next.clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof counted.device_name,
                                 counted.device_name, NULL);
        dl__next.clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
        counted.is_cpu = type & CL_DEVICE_TYPE_CPU;
    }
    dl__mutex_unlock(&counted_lock);
}

/* ---- annotations beside the program ---- */

enum { UNMATCHED_SAID_MAX = 10, ABSENT_NAMED_MAX = 4, NAMES_BYTES = 200 };

/* The name of a kernel that was seen and that a side file's may have been meant for;
 * NULL: none. */
static const char *nearest_kernel(const char *name)
{
    const char *best = NULL;
    size_t best_apart = SIZE_MAX;

    for (size_t i = 0; i < told.kernel_count; i++) {
        size_t apart = dl_word_distance(name, strlen(name), told.kernels[i].name);

        if (apart < best_apart) {
            best = told.kernels[i].name;
            best_apart = apart;
        }
    }
    return best;
}

/* The kernel of that name whose text DL does not have; NULL: there is none. */
static const struct kernel_fact *find_without_text(const char *name)
{
    for (size_t i = 0; i < told.kernel_count; i++)
        if (told.kernels[i].origin != DL__FROM_SOURCE &&
            told.kernels[i].origin != DL__FROM_KNOWN_BINARY &&
            !is_followed(&told.kernels[i]) && strcmp(told.kernels[i].name, name) == 0)
            return &told.kernels[i];
    return NULL;
}

static void say_unmatched(const struct side_fact *fact)
{
    const char *nearest = nearest_kernel(fact->kernel);
    char text[512];
    struct dl_remark remark = {DL_WARNING, told.side_path, fact->line, 1, text};

    const struct kernel_fact *kernel = find_without_text(fact->kernel);

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

static bool has_effect(const struct side_fact *fact)
{
    return fact->in_text && !(fact->made && find_without_text(fact->kernel));
}

/* Kernels that the program has nothing like are one line: a file may be for several
 * programs. */
static void say_side(void)
{
    const struct side_fact *absent = NULL;
    size_t said = 0, absent_count = 0;
    char names[512];
    int used = 0;

    for (size_t i = 0; i < told.side_count; i++) {
        const struct side_fact *fact = &told.side[i];

        if (has_effect(fact)) {
            ;
        } else if (find_without_text(fact->kernel) || nearest_kernel(fact->kernel)) {
            if (said++ < UNMATCHED_SAID_MAX)
                say_unmatched(fact);
        } else {
            absent = fact;
            if (absent_count++ < ABSENT_NAMED_MAX)
                used += snprintf(names + used, sizeof names - (size_t)used, "%s'%.60s'",
                                 absent_count > 1 ? ", " : "", fact->kernel);
        }
    }
    if (said > UNMATCHED_SAID_MAX)
        dl__log(DL__LOG_WARNING, "%s: annotations that do nothing, too: %zu more",
                told.side_path, said - UNMATCHED_SAID_MAX);
    if (absent_count > ABSENT_NAMED_MAX)
        snprintf(names + used, sizeof names - (size_t)used, " and %zu more",
                 absent_count - ABSENT_NAMED_MAX);
    if (absent_count == 1)
        say_unmatched(absent);
    else if (absent)
        dl__log(DL__LOG_WARNING,
                "%s: the program built no kernels %s, so their annotations do nothing",
                told.side_path, names);
}

/* ---- closing lines ---- */

/* "a, b and more"; of the kernels of that kind. */
static const char *list_kernels(char *out,
                                bool (*is_one)(const struct kernel_fact *kernel))
{
    size_t used = 0;

    *out = '\0';
    for (size_t i = 0; i < told.kernel_count; i++) {
        if (!is_one(&told.kernels[i]))
            continue;
        if (used + strlen(told.kernels[i].name) + 16 > NAMES_BYTES) {
            strcpy(out + used, " and more");
            break;
        }
        used +=
            (size_t)sprintf(out + used, "%s%s", used ? ", " : "", told.kernels[i].name);
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

static DL__REQUIRES(counted_lock) bool is_idle(const struct kernel_fact *kernel)
{
    const struct dl__kernel_row *row = find_kernel(kernel->name);

    return kernel->has == DL__HAS_ANNOTATIONS &&
           !(row && row->rewritten.launches + row->native.launches);
}

/* A program whose kernels come from a cache of its own looks as if DL did nothing. Where
 * a side file names kernels, each of them has had its line. */
static void say_binaries(void)
{
    const struct dl__options *options = dl__options_get();
    const char *cache = options->values[DL_OPTION_cache].text;
    char names[NAMES_BYTES + 16];

    if (told.side_count || dl__options_as_written(options))
        return;
    if (*list_kernels(names, is_in_il))
        dl__log(DL__LOG_WARNING,
                "kernels came from IL (SPIR-V), which DL does not read, and run as "
                "written: %s; have the program build them from OpenCL C",
                names);
    if (!*list_kernels(names, is_in_unknown_binary))
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

static void say_idle(void)
{
    char names[NAMES_BYTES + 16];

    if (dl__options_as_written(dl__options_get()))
        return;
    dl__mutex_lock(&counted_lock);
    list_kernels(names, is_idle);
    dl__mutex_unlock(&counted_lock);
    if (*names)
        dl__stderr_say("dl: annotated, but never launched: %s\n", names);
}

/* Why a kernel ran as written in any layout, and what its user does next; NULL: it did
 * not, or the policy has chosen so. The caller frees it. */
static char *what_is_in_the_way(const struct dl__kernel_row *row)
{
    const enum dl__why why = row->native.why && !row->rewritten.launches
                                 ? dl__why_find(row->native.why)
                                 : DL__WHY_AOS;
    const char *next = why < DL__WHYS ? dl__reasons[why].next : "";
    char *text = NULL;

    if (why >= DL__WHY_DIFFERED && *row->native.why &&
        asprintf(&text, "kernel '%s' ran as written: %s%s%s", row->name, row->native.why,
                 *next ? "; " : "", next) < 0)
        text = NULL;
    return text;
}

/* Decisions say nothing of these. */
static DL__REQUIRES(counted_lock) void say_what_is_in_the_way(void)
{
    for (size_t i = 0; i < counted.kernel_count; i++) {
        char *text = what_is_in_the_way(&counted.kernels[i]);

        if (text)
            dl__stderr_say("dl: policy: %s\n", text);
        free(text);
    }
}

/* Of the first kernel that has one. */
static DL__REQUIRES(counted_lock) void say_nothing_compared(void)
{
    const bool tried = told.verified[DL__NOT_COMPARED];
    char *why = NULL;

    for (size_t i = 0; i < counted.kernel_count && !why; i++)
        why = what_is_in_the_way(&counted.kernels[i]);
    dl__log(DL__LOG_WARNING, "verify: no launch was compared, since %s%s%s",
            tried ? "none could be" : "none was rewritten", why ? ": " : "",
            why ? why
            : !tried && dl__options_get()->layout_auto
                ? "; --layout asta or da rewrites all that it can"
                : "");
    free(why);
}

static void say_verified(void)
{
    const unsigned long *of = told.verified;
    unsigned long compared = of[DL__SAME] + of[DL__DIFFERENT] + of[DL__UNREPEATABLE];
    char rest[160] = "";
    size_t used = 0;

    if (compared == 0) {
        dl__mutex_lock(&counted_lock);
        say_nothing_compared();
        dl__mutex_unlock(&counted_lock);
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
static void say_all(void)
{
    const struct dl__options *options = dl__options_get();

    say_side();
    say_binaries();
    if (options->stats && !options->stats_path)
        say_idle();
    if (options->verify_every)
        say_verified();
    if (options->explain_policy) {
        dl__mutex_lock(&counted_lock);
        say_what_is_in_the_way();
        dl__mutex_unlock(&counted_lock);
    }
}

/* ---- advice ---- */

/* "1.3 GB", into one of some places. */
static const char *bytes_text(double bytes)
{
    static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB"};
    static char texts[4][32];
    static unsigned next;
    char *text = texts[next++ % 4];
    size_t unit = 0;

    for (; bytes >= 1000 && unit < 4; unit++)
        bytes /= 1000;
    snprintf(text, sizeof texts[0], unit && bytes < 9.95 ? "%.1f %s" : "%.0f %s", bytes,
             units[unit]);
    return text;
}

static void print_buffer(const struct dl__advised_buffer *buffer, FILE *out)
{
    fprintf(out, "#   %s: %s of %u bytes; %s fetched, %s with each member apart\n",
            buffer->annotation, buffer->arrays ? "arrays, in all" : "structs",
            buffer->struct_bytes, bytes_text(buffer->native), bytes_text(buffer->apart));
    for (size_t m = 0; m < buffer->member_count; m++) {
        const struct dl__advised_member *member = &buffer->members[m];

        if (member->bytes == UINT32_MAX)
            fputs("#     anywhere in it: ", out);
        else
            fprintf(out, "#     %s%sbytes %u to %u: ", member->name,
                    *member->name ? ", " : "", member->offset,
                    member->offset + member->bytes - 1);
        fprintf(out, "%s used of %s fetched", bytes_text(member->used),
                bytes_text(member->fetched));
        if (member->guessed == 1)
            fprintf(out, ", if the loop in line %u has 16 rounds", member->line);
        else if (member->guessed)
            fprintf(out, ", if each of %u loops, the first in line %u, has 16 rounds",
                    member->guessed, member->line);
        fputc('\n', out);
    }
}

/* Prints what DL has seen that may take from the gain. */
static void print_limits(const struct advised *row, FILE *out)
{
    enum { SMALL_BYTES = 1 << 20 }; /* fits a core's cache */
    uint64_t bytes = 0;

    for (size_t b = 0; b < row->count; b++) {
        const struct dl__advised_buffer *buffer = &row->buffers[b];

        bytes += buffer->bytes;
        /* Fewer are those at the beginning and the end of a program. */
        if (buffer->commands > 2 && buffer->commands >= row->launches / 4)
            fprintf(out,
                    "#   less: between launches %u commands read or wrote %s, and "
                    "conversions for them may cost\n#   more than the kernel gains\n",
                    buffer->commands, buffer->annotation);
    }
    if (bytes < SMALL_BYTES)
        fprintf(out, "#   less: its buffers have only %s, which fit a cache\n",
                bytes_text((double)bytes));
}

static void print_row(const struct advised *row, FILE *out)
{
    bool any = false;

    fprintf(out, "#\n# %s: %lu launch%s; ", row->kernel, row->launches,
            row->launches == 1 ? "" : "es");
    if (row->speedup > 1.1)
        fprintf(out, "expect up to %.1f times the speed in %s\n", row->speedup,
                row->layout);
    else
        fprintf(out,
                "little gain is expected of %s on this device: the\n# line can stay, "
                "since by default DL compares times, and another device may gain\n",
                row->layout);
    if (row->speedup > 1.1)
        print_limits(row, out);
    for (size_t b = 0; b < row->count; b++)
        print_buffer(&row->buffers[b], out);
    for (size_t b = 0; b < row->count; b++) {
        if (row->buffers[b].arrays)
            continue;
        if (!any)
            fprintf(out, "%s: AoS:", row->kernel);
        fprintf(out, "%s %s", any ? "," : "", row->buffers[b].annotation);
        any = true;
    }
    fputs(any ? "\n" : "", out);
    for (size_t b = 0; b < row->count; b++)
        if (row->buffers[b].arrays)
            fprintf(out, "%s: SoA: %s\n", row->kernel, row->buffers[b].annotation);
}

/* It has made programs, and none of them from a source that DL has. */
static bool all_unread(void)
{
    const unsigned *programs = told.programs;

    return programs[DL__FROM_BINARY] + programs[DL__FROM_IL] > 0 &&
           programs[DL__FROM_SOURCE] + programs[DL__FROM_KNOWN_BINARY] == 0;
}

static bool all_own(void)
{
    for (size_t i = 0; i < told.kernel_count; i++)
        if (told.kernels[i].has != DL__OWN)
            return false;
    return told.kernel_count > 0;
}

/* Of a program in whose kernels there is nothing to advise. */
static const char *no_advice(void)
{
    const struct text *left = find_left(&told.left, NULL);

    if (all_own())
        return "# All kernels are libdl_transpose's, which DL leaves as they are: there "
               "is nothing\n"
               "# to do.\n";
    if (all_unread())
        return "# All kernels came from binaries or IL, in which DL sees no structs: "
               "have "
               "the program\n"
               "# build them from source (its cache emptied, or turned off), and run it "
               "again.\n";
    if (left && left->level == DL__WHY_WRONG)
        return "# An annotation is wrong: correct it as a line below says, and run it "
               "again.\n";
    if (left && left->level == DL__WHY_NOT_FOLLOWED)
        return "# No kernel that was launched has a buffer that DL can convert. Where a "
               "line below says\n"
               "# what to change, an annotation does not help.\n";
    if (left && left->level == DL__WHY_UNIFORM)
        return "# DL sees structs, but they gain nothing in another layout, as the lines "
               "below say:\n"
               "# there is nothing to do.\n";
    if (told.annotated.count)
        return "";
    return "# No kernel that was launched has a buffer in which DL sees structs or "
           "rows.\n"
           "# If one holds them, say so: 'kernel: AoS: buffer[][20]', rows of 20 "
           "elements (docs/annotating.md).\n";
}

/* Whether a line says of a kernel with advice that one of its buffers was passed over. */
static bool is_beside_advice(const char *text)
{
    const char *at = strstr(text, "kernel '");

    if (!at || !strstr(text, " is passed over: "))
        return false;
    at += sizeof "kernel '" - 1;
    for (const struct advised *row = told.advised; row; row = row->next)
        if (strncmp(at, row->kernel, strlen(row->kernel)) == 0 &&
            at[strlen(row->kernel)] == '\'')
            return true;
    return false;
}

/* Whether it says of an argument that nothing is lost by how it lies: no kernel writes
 * it, and none gains by it. */
static bool is_of_constants(const char *text)
{
    return strstr(text, "use the same struct of it, in constant memory");
}

/* Prints how many of these there are, which nobody reads one by one. */
static void print_constants(FILE *out)
{
    size_t count = 0;

    for (size_t i = 0; i < told.obstacles.count; i++)
        count += is_of_constants(told.obstacles.items[i].text);
    if (count)
        fprintf(
            out,
            "#\n# %zu argument%s in constant memory, of which neighbouring work-items "
            "use the same\n# struct, can stay: that costs nothing.\n",
            count, dl_plural(count));
}

/* Prints what keeps buffers as they are, of kernels with advice or without. */
static void print_obstacles(FILE *out, bool beside_advice, const char *title)
{
    bool any = false;

    for (size_t i = 0; i < told.obstacles.count; i++) {
        const char *text = told.obstacles.items[i].text;

        if (is_of_constants(text) || is_beside_advice(text) != beside_advice)
            continue;
        if (!any)
            fprintf(out, "#\n# %s\n", title);
        any = true;
        fprintf(out, "#   %s\n", text);
    }
}

static void print_advice(FILE *out)
{
    fputs(
        "# Annotations that dl-run --advise found: give this file to dl-run "
        "--annotations.\n"
        "# Bytes are what the accesses in a kernel's text touch; a member's line has its "
        "own. An\n"
        "# address counts once in a loop that does not change it. A loop counts as 16 "
        "rounds\n"
        "# where the text does not say how many it has. A CPU gains less than bytes "
        "fall, "
        "since\n"
        "# its cores have as much other work as before.\n",
        out);
    if (!told.advised)
        fputs(no_advice(), out);
    else if (told.advised && dl__log_words_are_new("tiles"))
        fputs("# " DL_WORDS_POINTER "\n", out);
    for (size_t i = 0; i < told.annotated.count; i++)
        fprintf(out, "# %s: annotated already\n", told.annotated.items[i].text);
    for (const struct advised *row = told.advised; row; row = row->next)
        print_row(row, out);
    print_obstacles(out, true,
                    "Buffers of these kernels that DL passed over, which change nothing "
                    "for the others:");
    print_obstacles(
        out, false,
        told.advised
            ? "Passed over or left as they are; a buffer that a kernel above uses, "
              "too, comes back for each launch of\n# these, so that "
              "nothing may be gained before they are changed:"
            : "Passed over or left as they are:");
    print_constants(out);
}

/* ---- the report ---- */

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

/* Something else is known of the kernel than that nothing was found in it. */
static bool is_explained(const char *kernel)
{
    const struct text *left = find_left(&told.left, kernel);

    return left && left->level != DL__WHY_NOTHING_FOUND;
}

static DL__REQUIRES(counted_lock) void print_counted(FILE *out)
{
    char *next = dl__summary(&counted, false);

    if (counted.device_name[0]) {
        fputs("device\t", out);
        print_field(out, counted.device_name);
        fprintf(out, "\t%d\n", counted.is_cpu);
    }
    for (size_t i = 0; i < told.kernel_count; i++) {
        const struct kernel_fact *kernel = &told.kernels[i];

        print_kernel(out, kernel->name, (unsigned)kernel->origin,
                     kernel->has == DL__HAS_NOTHING && is_explained(kernel->name)
                         ? DL__NOT_FOLLOWED
                         : (unsigned)kernel->has,
                     find_kernel(kernel->name));
    }
    for (size_t d = 0; d < counted.decision_count; d++)
        print_line(out, "policy", counted.decisions[d]);
    if (next)
        fprintf(out, "next\t%s\n", next);
    free(next);
}

/* The table, a fact a line. */
static DL__REQUIRES(counted_lock) void print_table(FILE *out)
{
    char *table = NULL, *rest;
    size_t bytes;
    FILE *to = open_memstream(&table, &bytes);
    locale_t before;

    if (!to)
        return;
    before = dl_c_locale_enter();
    counted.for_report = true;
    dl__stats_print(&counted, to);
    counted.for_report = false;
    dl_c_locale_leave(before);
    if (fclose(to) == 0)
        for (char *at = strtok_r(table, "\n", &rest); at;
             at = strtok_r(NULL, "\n", &rest))
            print_line(out, "stats", at);
    free(table);
}

static void print_rest(FILE *out)
{
    fputs("programs", out);
    for (int i = 0; i < DL__ORIGINS; i++)
        fprintf(out, "\t%u", told.programs[i]);
    fputc('\n', out);
    for (size_t i = 0; i < told.side_count; i++) {
        const struct side_fact *fact = &told.side[i];
        const char *nearest = nearest_kernel(fact->kernel);

        if (has_effect(fact))
            continue;
        fprintf(out, "unmatched\t%u\t%s\t%s\n", fact->line, fact->kernel,
                nearest && strcmp(nearest, fact->kernel) != 0 ? nearest : "");
    }
}

static void print_messages(FILE *out)
{
    for (size_t i = 0; i < told.messages.count; i++) {
        fprintf(out, "said\t%d\t", told.messages.items[i].level);
        print_field(out, told.messages.items[i].text);
        fputc('\n', out);
    }
}

/* Appends the facts to the report. */
static void write_report(void)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    if (!out)
        return;
    fprintf(out, "end\t%ld\n", (long)getpid());
    if (told.opencl) {
        dl__mutex_lock(&counted_lock);
        print_counted(out);
        if (dl__options_get()->stats)
            print_table(out);
        dl__mutex_unlock(&counted_lock);
        print_rest(out);
    }
    print_messages(out);
    if (fclose(out) == 0)
        dl__append_file(report_path, text);
    free(text);
}

/* ---- the end ---- */

static DL__REQUIRES(counted_lock) void print_statistics(FILE *out)
{
    dl__stats_print(&counted, out);
}

static void end(const char *ended_by)
{
    static atomic_bool ended;
    const struct dl__options *options;

    /* A forked child that ends has counted nothing, and must not touch the driver. */
    if (getpid() != owner || atomic_exchange(&ended, true))
        return;
    dl__log_listen(NULL); /* closing lines are no messages of the run */
    dl__mutex_lock(&lock);
    told = seen;
    seen = (struct facts){.opencl = told.opencl, .messages = told.messages};
    dl__mutex_unlock(&lock);
    if (told.opencl) {
        options = dl__options_get();
        dl__stats_settle();
        say_all();
        dl__log_listen(report_path ? listen_to : NULL);
        if (options->advise && told.kernel_count + told.obstacles.count)
            dl__print_to(options->advice_path, print_advice, "the advice",
                         "--advise (DL_ADVISE)");
        dl__mutex_lock(&counted_lock);
        counted.rank = dl_environment_rank();
        counted.ended_by = ended_by;
        if (options->stats)
            dl__print_to(options->stats_path, print_statistics, "the statistics",
                         "--stats (DL_STATS)");
        dl__mutex_unlock(&counted_lock);
        dl__log_listen(NULL);
    }
    dl__mutex_lock(&lock);
    told.messages = seen.messages;
    seen.messages = (struct texts){.items = NULL};
    dl__mutex_unlock(&lock);
    if (report_path)
        write_report();
}

void dl__reports_end(void)
{
    end(NULL);
}

void dl__reports_end_by(int signal)
{
    end(signal == SIGINT ? "SIGINT (Ctrl-C)" : "SIGTERM");
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

static void say_unused(const char *loader, int code)
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
    else if (code && !had_children())
        dl__log(DL__LOG_WARNING,
                "%s ended with code %d before it used OpenCL, so %s has nothing to "
                "report: see whether it works without DL",
                name, code, wishes);
    else if (*loader)
        dl__log(
            DL__LOG_WARNING,
            "%s made no OpenCL context that DL saw, so %s has nothing to report; if it "
            "used OpenCL, its calls went to %s past DL (RTLD_DEEPBIND or dlmopen, and "
            "a loader that takes no layers): put a loader that does, such as "
            "ocl-icd's or Khronos's, first in LD_LIBRARY_PATH",
            name, wishes, loader);
    else if (had_children() && code)
        dl__log(DL__LOG_WARNING,
                "%s itself made no OpenCL context and ended with code %d, so %s has "
                "nothing to report for it: see whether it works without DL; the programs "
                "that it started report for themselves",
                name, code, wishes);
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
static void end_unused(int status, void *user)
{
    char loader[PATH_BYTES];
    bool any;

    (void)user;
    dl__mutex_lock(&lock);
    any = seen.opencl;
    dl__mutex_unlock(&lock);
    if (getpid() != owner || any)
        return;
    find_loader(loader);
    if (report_path && *loader)
        append_line("past", loader);
    if (*wishes)
        say_unused(loader, status & 0xff);
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
        register_end();
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
        on_exit(end_unused, NULL);
}
