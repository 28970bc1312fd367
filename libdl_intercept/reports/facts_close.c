/* SPDX-License-Identifier: MIT */
/* The facts at the end: as lines for people, and in the report. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "facts_rows.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/options.h"
#include "stats_print.h"
#include "summary.h"
#include "write_file.h"

enum { UNMATCHED_SAID_MAX = 10, ABSENT_NAMED_MAX = 4, NAMES_BYTES = 200 };

/* What is counted of one kernel. */
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

const char *dl__facts_nearest(const struct dl__facts *facts, const char *name)
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
static const struct dl__kernel_fact *find_without_text(const struct dl__facts *facts,
                                                       const char *name)
{
    for (size_t i = 0; i < facts->kernel_count; i++)
        if (facts->kernels[i].origin != DL__FROM_SOURCE &&
            facts->kernels[i].origin != DL__FROM_KNOWN_BINARY &&
            !dl__fact_is_followed(&facts->kernels[i]) &&
            strcmp(facts->kernels[i].name, name) == 0)
            return &facts->kernels[i];
    return NULL;
}

static void say_unmatched(const struct dl__facts *facts, const struct dl__side_fact *fact)
{
    const char *nearest = dl__facts_nearest(facts, fact->kernel);
    char text[512];
    struct dl_remark remark = {DL_WARNING, facts->side_path, fact->line, 1, text};

    const struct dl__kernel_fact *kernel = find_without_text(facts, fact->kernel);

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

static bool has_effect(const struct dl__facts *facts, const struct dl__side_fact *fact)
{
    return fact->in_text && !(fact->made && find_without_text(facts, fact->kernel));
}

/* True of a kernel that the program has nothing like: a file may be for several programs.
 */
static bool is_absent(const struct dl__facts *facts, const struct dl__side_fact *fact)
{
    return !has_effect(facts, fact) && !find_without_text(facts, fact->kernel) &&
           !dl__facts_nearest(facts, fact->kernel);
}

/* Those are one line. */
static void say_absent(const struct dl__facts *facts)
{
    char text[512];
    int used = 0;
    size_t count = 0;
    const struct dl__side_fact *first = NULL;

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

static void say_side(const struct dl__facts *facts)
{
    size_t said = 0;

    say_absent(facts);
    for (size_t i = 0; i < facts->side_count; i++)
        if (!has_effect(facts, &facts->side[i]) && !is_absent(facts, &facts->side[i]) &&
            said++ < UNMATCHED_SAID_MAX)
            say_unmatched(facts, &facts->side[i]);
    if (said > UNMATCHED_SAID_MAX)
        dl__log(DL__LOG_WARNING, "%s: %zu more annotations do nothing", facts->side_path,
                said - UNMATCHED_SAID_MAX);
}

/* ---- closing lines ---- */

/* "a, b and more"; of the kernels of that kind. */
static const char *list_kernels(const struct dl__facts *facts, char *out,
                                bool (*is_one)(const struct dl__kernel_fact *kernel))
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
static bool is_in_unknown_binary(const struct dl__kernel_fact *kernel)
{
    return !dl__fact_is_followed(kernel) && kernel->origin == DL__FROM_BINARY;
}

static bool is_in_il(const struct dl__kernel_fact *kernel)
{
    return !dl__fact_is_followed(kernel) && kernel->origin == DL__FROM_IL;
}

static bool is_idle(const struct dl__kernel_fact *kernel)
{
    struct launches sum = {.kernel = kernel->name};

    dl__stats_visit(add_launches, &sum);
    return kernel->has == DL__HAS_ANNOTATIONS && sum.transformed + sum.native == 0;
}

/* A program whose kernels come from a cache of its own looks as if DL did nothing. Where
 * a side file names kernels, each of them has had its line. */
static void say_binaries(const struct dl__facts *facts)
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

static void say_idle(const struct dl__facts *facts)
{
    char names[NAMES_BYTES + 16];

    if (!dl__options_as_written(dl__options_get()) &&
        *list_kernels(facts, names, is_idle))
        dl__stderr_say("dl: annotated, but never launched: %s\n", names);
}

static void say_verified(const struct dl__facts *facts)
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

void dl__facts_say_all(const struct dl__facts *facts)
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

/* A field: what would end it becomes a blank. */
static void print_field(FILE *out, const char *text)
{
    for (; *text; text++)
        fputc(*text == '\t' || *text == '\n' || *text == '\r' ? ' ' : *text, out);
}

struct printing {
    FILE *out;
    const struct dl__facts *facts;
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
    const struct dl__facts *facts = printing->facts;
    char *next = dl__summary_next(counted);

    if (counted->device_name[0]) {
        fputs("device\t", printing->out);
        print_field(printing->out, counted->device_name);
        fputc('\n', printing->out);
    }
    for (size_t i = 0; i < facts->kernel_count; i++) {
        const struct dl__kernel_fact *kernel = &facts->kernels[i];
        const struct dl__kernel_row *row = NULL;

        for (size_t r = 0; r < counted->kernel_count && !row; r++)
            if (strcmp(counted->kernels[r].name, kernel->name) == 0)
                row = &counted->kernels[r];
        print_kernel(printing->out, kernel->name, (unsigned)kernel->origin,
                     (unsigned)kernel->has, row);
    }
    for (size_t d = 0; d < counted->decision_count; d++) {
        fputs("policy\t", printing->out);
        print_field(printing->out, counted->decisions[d]);
        fputc('\n', printing->out);
    }
    if (next)
        fprintf(printing->out, "next\t%s\n", next);
    free(next);
}

static void print_rest(FILE *out, const struct dl__facts *facts)
{
    fputs("programs", out);
    for (int i = 0; i < DL__ORIGINS; i++)
        fprintf(out, "\t%u", facts->programs[i]);
    fputc('\n', out);
    for (size_t i = 0; i < facts->side_count; i++) {
        const struct dl__side_fact *fact = &facts->side[i];
        const char *nearest = dl__facts_nearest(facts, fact->kernel);

        if (has_effect(facts, fact))
            continue;
        fprintf(out, "unmatched\t%u\t%s\t%s\n", fact->line, fact->kernel,
                nearest && strcmp(nearest, fact->kernel) != 0 ? nearest : "");
    }
}

static void print_messages(FILE *out, const struct dl__facts *facts)
{
    for (size_t i = 0; i < facts->message_count; i++) {
        fprintf(out, "said\t%d\t", facts->messages[i].level);
        print_field(out, facts->messages[i].text);
        fputc('\n', out);
    }
}

void dl__facts_report(const struct dl__facts *facts, const char *path)
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
