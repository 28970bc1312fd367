/* SPDX-License-Identifier: MIT */
/* The report of a run, explained. */
#include "report.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "finding.h"
#include "options/options.h"

enum {
    FIELDS_MAX = 8,
    PROCESSES_MAX = 64,
    NOTES_MAX = 20,
    LEVEL_WARNING = 2,
    LEVEL_REMARK
};

/* As libdl_intercept/reports/facts.h has them. */
enum { FROM_SOURCE, FROM_BINARY, FROM_IL };
enum { NOT_READ, UNREADABLE, NO_LIBCLANG, HAS_NOTHING, HAS_CANDIDATES, HAS_ANNOTATIONS };

struct process {
    long pid;
    char *name, *past; /* a loader that it may have called past DL; NULL: none */
    bool opencl, ended;
};

struct reading {
    struct process processes[PROCESSES_MAX];
    size_t process_count;
    unsigned sources, binaries, il, known; /* programs; binaries whose source DL has */
    unsigned followed, unreadable;         /* kernels */
    bool detected;                         /* kernels without annotation were looked at */
    unsigned notes, notes_most;
    char *binary_kernels, *il_kernels; /* "a, b"; NULL: none */
    bool caught;
    char *next; /* what DL would do next; NULL: it said nothing */
};

/* A line's fields; the rest are "". */
struct line {
    char *fields[FIELDS_MAX];
};

static const char nothing[] = "";

static void split(char *text, struct line *out)
{
    text[strcspn(text, "\n")] = '\0';
    for (int i = 0; i < FIELDS_MAX; i++) {
        out->fields[i] = text ? strsep(&text, "\t") : NULL;
        if (!out->fields[i])
            out->fields[i] = (char *)nothing;
    }
}

static struct process *find_process(struct reading *reading, const char *pid)
{
    long number = strtol(pid, NULL, 10);

    for (size_t i = 0; i < reading->process_count; i++)
        if (reading->processes[i].pid == number)
            return &reading->processes[i];
    if (reading->process_count == PROCESSES_MAX)
        return NULL;
    reading->processes[reading->process_count] = (struct process){.pid = number};
    return &reading->processes[reading->process_count++];
}

static void read_process(struct reading *reading, const struct line *line)
{
    struct process *process = find_process(reading, line->fields[1]);

    if (!process)
        return;
    if (strcmp(line->fields[0], "process") == 0 && !process->name)
        process->name = strdup(line->fields[2]);
    if (strcmp(line->fields[0], "past") == 0 && !process->past)
        process->past = strdup(line->fields[2]);
    process->opencl |= strcmp(line->fields[0], "opencl") == 0;
    process->ended |= strcmp(line->fields[0], "end") == 0;
}

/* ---- what happened to kernels ---- */

static void add_name(char **list, const char *name)
{
    char *more = NULL;

    if (asprintf(&more, "%s%s%s", *list ? *list : "", *list ? ", " : "", name) < 0)
        return;
    free(*list);
    *list = more;
}

static const char *plural(const char *count)
{
    return strcmp(count, "1") == 0 ? "" : "es";
}

static void explain_kernel(struct reading *reading, const struct line *line)
{
    const char *name = line->fields[1], *transformed = line->fields[4],
               *native = line->fields[5], *why = line->fields[7];
    int origin = atoi(line->fields[2]);
    int has = atoi(line->fields[3]);
    bool followed = has >= HAS_CANDIDATES;

    if (origin == FROM_BINARY || origin == FROM_IL) {
        add_name(origin == FROM_IL ? &reading->il_kernels : &reading->binary_kernels,
                 name);
        return;
    }
    reading->followed += followed;
    reading->unreadable += has == NO_LIBCLANG || has == UNREADABLE;
    if (strtoull(transformed, NULL, 10))
        finding_print(FINDING_GOOD, "kernel",
                      "%s: %s launch%s transformed (%s), %s as written", name,
                      transformed, plural(transformed), line->fields[6], native);
    else if (!followed && reading->notes++ >= reading->notes_most)
        ;
    else if (strtoull(native, NULL, 10))
        finding_print(FINDING_NOTE, "kernel", "%s: %s launch%s as written%s%s", name,
                      native, plural(native), *why ? "; " : "", why);
    else
        finding_print(FINDING_NOTE, "kernel", "%s %s was never launched", name,
                      has == HAS_ANNOTATIONS ? "is annotated, but"
                      : followed             ? "can be transformed, but"
                                             : "has nothing that DL can follow, and");
}

static void explain_message(struct reading *reading, const struct line *line)
{
    int level = atoi(line->fields[1]);
    const char *text = line->fields[2];

    if (strncmp(text, "dl: ", 4) == 0)
        text += 4;
    if (strstr(text, "debug: caught as ")) {
        reading->caught = true;
        finding_print(FINDING_GOOD, "DL", "%s", strstr(text, "caught as "));
    } else if (strstr(text, "; dl-run --doctor says what to do")) {
        ; /* as it has, above the run */
    } else if (level <= LEVEL_WARNING) {
        finding_print(FINDING_WRONG, "message", "%s", text);
    } else if (level == LEVEL_REMARK && reading->notes++ < reading->notes_most) {
        finding_print(FINDING_NOTE, "message", "%s", text);
    }
}

static void explain_line(struct reading *reading, const struct line *line)
{
    const char *kind = line->fields[0];

    if (strcmp(kind, "kernel") == 0) {
        explain_kernel(reading, line);
    } else if (strcmp(kind, "said") == 0) {
        explain_message(reading, line);
    } else if (strcmp(kind, "device") == 0) {
        finding_print(FINDING_NOTE, "device", "the program used %s", line->fields[1]);
    } else if (strcmp(kind, "programs") == 0) {
        reading->sources += (unsigned)atoi(line->fields[1]);
        reading->binaries += (unsigned)atoi(line->fields[2]);
        reading->il += (unsigned)atoi(line->fields[3]);
        reading->known += (unsigned)atoi(line->fields[5]);
    } else if (strcmp(kind, "unmatched") == 0) {
        finding_print(FINDING_WRONG, "annotations",
                      "line %s: the program built no kernel '%s'%s%s%s", line->fields[1],
                      line->fields[2], *line->fields[3] ? "; did you mean '" : "",
                      line->fields[3], *line->fields[3] ? "'?" : "");
    } else if (strcmp(kind, "policy") == 0) {
        if (reading->notes++ < reading->notes_most)
            finding_print(FINDING_NOTE, "policy", "%s", line->fields[1]);
    } else if (strcmp(kind, "next") == 0) {
        free(reading->next);
        reading->next = strdup(line->fields[1]);
    } else {
        read_process(reading, line);
    }
}

/* ---- what did not happen ---- */

static const char *name_of(const struct process *process)
{
    return process->name && *process->name ? process->name : "(unknown)";
}

/* False: none has a loader in it. */
static bool explain_past(const struct reading *reading)
{
    for (size_t i = 0; i < reading->process_count; i++) {
        if (!reading->processes[i].past)
            continue;
        finding_print(
            FINDING_WRONG, "OpenCL",
            "%s made no OpenCL context that DL saw: if it used OpenCL, its calls "
            "went to %s past DL (RTLD_DEEPBIND or dlmopen, and a loader that "
            "takes no layers); put a loader that does, such as ocl-icd's or "
            "Khronos's, first in LD_LIBRARY_PATH",
            name_of(&reading->processes[i]), reading->processes[i].past);
        return true;
    }
    return false;
}

static void explain_silence(const struct reading *reading, bool layer, bool obstructed)
{
    if (explain_past(reading))
        return;
    if (reading->process_count == 0 && !obstructed)
        finding_print(
            FINDING_WRONG, "DL",
            layer ? "did not get into the program: it used no OpenCL loader that "
                    "takes layers; try without --layer"
                  : "did not get into the program: something between clears "
                    "LD_PRELOAD (sudo, env -i, a container); put dl-run behind it");
    else if (reading->process_count)
        finding_print(
            FINDING_WRONG, "OpenCL",
            "the program (%s) made no OpenCL context: it did not come that far, "
            "uses another interface (CUDA, HIP), or starts one that does without "
            "LD_PRELOAD%s",
            name_of(&reading->processes[0]),
            layer ? "" : ", or a loader of its own: then try --layer");
}

static void explain_binaries(const struct reading *reading)
{
    const enum finding kind = reading->followed ? FINDING_NOTE : FINDING_WRONG;

    if (reading->binaries)
        finding_print(kind, "programs",
                      "%u came from binaries that DL did not see built%s%s: "
                      "empty the program's cache once, or turn it off (of pyopencl: "
                      "PYOPENCL_NO_CACHE=1)",
                      reading->binaries, reading->binary_kernels ? ", with kernels " : "",
                      reading->binary_kernels ? reading->binary_kernels : "");
    if (reading->il)
        finding_print(kind, "programs",
                      "%u came from IL (SPIR-V), which DL does not read%s%s: have the "
                      "program build these kernels from OpenCL C",
                      reading->il, reading->il_kernels ? ", with kernels " : "",
                      reading->il_kernels ? reading->il_kernels : "");
}

/* Plain arrays of numbers have nothing that could lie otherwise: then nothing is wrong.
 */
static void explain_nothing_found(const struct reading *reading)
{
    if (reading->detected)
        finding_print(FINDING_NOTE, "kernels",
                      "DL found no buffer of structs or rows in them, so it has nothing "
                      "to convert; where there is one, a line `//DL: AoS: buffer[count]` "
                      "above the kernel names it");
    else
        finding_print(FINDING_WRONG, "kernels",
                      "DL follows no kernel's annotation: put a line `//DL: AoS: "
                      "buffer[count]` above a kernel, or name it in a file for "
                      "--annotations (--advise writes one), or leave --detect off out");
}

static void explain_rest(const struct reading *reading, bool layer, bool obstructed)
{
    bool opencl = false;

    for (size_t i = 0; i < reading->process_count; i++) {
        const struct process *process = &reading->processes[i];

        opencl |= process->opencl;
        if (process->opencl && !process->ended)
            finding_print(
                FINDING_WRONG, "run",
                "%s ended by _exit or a signal, so what DL saw of it is not known: "
                "--log remark and --explain-policy say it at once",
                name_of(process));
    }
    if (!opencl) {
        explain_silence(reading, layer, obstructed);
        return;
    }
    if (reading->known)
        finding_print(FINDING_GOOD, "programs",
                      "%u came from binaries whose source DL has kept", reading->known);
    explain_binaries(reading);
    /* What stands in the way of reading has its own line. */
    if (!reading->followed && !reading->unreadable && reading->sources + reading->known)
        explain_nothing_found(reading);
}

/* As the program was told. */
static bool detects(void)
{
    const char *detect = getenv(dl_option_row(DL_OPTION_detect)->environment);

    return detect && strcmp(detect, "on") == 0;
}

char *report_explain(const char *path, bool layer, bool obstructed, bool all)
{
    struct reading reading = {.detected = detects(),
                              .notes_most = all ? UINT_MAX : NOTES_MAX};
    FILE *file = fopen(path, "re");
    char *text = NULL;
    size_t room = 0;
    struct line line;

    while (file && getline(&text, &room, file) >= 0) {
        split(text, &line);
        explain_line(&reading, &line);
    }
    if (file)
        fclose(file);
    free(text);
    explain_rest(&reading, layer, obstructed);
    for (size_t i = 0; i < reading.process_count; i++) {
        free(reading.processes[i].name);
        free(reading.processes[i].past);
    }
    free(reading.binary_kernels);
    free(reading.il_kernels);
    return reading.next;
}
