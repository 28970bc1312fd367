/* SPDX-License-Identifier: MIT */
/* What is said at the end of a process that made no OpenCL context: a line of the report,
 * and a line for people where something was to be watched (--stats, --trace, --advise,
 * --verify,
 * --explain-policy).
 *
 * That one is of the process that dl-run became alone: a script starts many more that
 * have nothing to do with OpenCL. dl-run names it in a variable. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "facts.h"
#include "libdl_intercept/base/log.h"
#include "options/environment.h"
#include "options/options.h"
#include "write_file.h"

enum { PATH_BYTES = 256 };

static pid_t owner;
static char wishes[128];  /* "--stats, --verify" */
static char *report_path; /* NULL: none */

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
                "%s itself made no OpenCL context that DL saw, so %s has nothing to tell "
                "of it; what it started tells of itself. If it used OpenCL itself, its "
                "calls went to %s past DL: see dl-run --doctor",
                name, wishes, loader);
    else if (*loader)
        dl__log(
            DL__LOG_WARNING,
            "%s made no OpenCL context that DL saw, so %s has nothing to tell; if it "
            "used OpenCL, its calls went to %s past DL (RTLD_DEEPBIND or dlmopen, and "
            "a loader that takes no layers): put a loader that does, such as "
            "ocl-icd's or Khronos's, first in LD_LIBRARY_PATH",
            name, wishes, loader);
    else if (had_children())
        dl__log(DL__LOG_WARNING,
                "%s itself made no OpenCL context, so %s has nothing to tell of it; what "
                "it started tells of itself",
                name, wishes);
    else
        dl__log(DL__LOG_WARNING, "%s used no OpenCL, so %s has nothing to tell", name,
                wishes);
}

static void end(void)
{
    char loader[PATH_BYTES], line[PATH_BYTES + 32];

    if (getpid() != owner || dl__facts_any_context())
        return;
    find_loader(loader);
    if (report_path && *loader) {
        snprintf(line, sizeof line, "past\t%ld\t%s\n", (long)owner, loader);
        dl__append_file(report_path, line);
    }
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

/* Before the program's own exit handlers, so that what is said comes behind theirs. */
__attribute__((constructor)) static void begin(void)
{
    static const enum dl_option watching[] = {DL_OPTION_stats, DL_OPTION_trace,
                                              DL_OPTION_advise, DL_OPTION_verify,
                                              DL_OPTION_explain_policy};
    struct dl_option_value report;
    char wrong[DL_OPTION_TEXT_BYTES];

    if (!is_preloaded())
        return;
    if (dl_option_read(DL_OPTION_report, &report, wrong) == DL_OK)
        report_path = report.text;
    if (is_started_by_dl_run())
        for (size_t i = 0; i < sizeof watching / sizeof *watching; i++)
            add_wish(watching[i]);
    if (!*wishes && !report_path)
        return;
    owner = getpid();
    if (*wishes) {
        dl__stderr_begin();
        dl__stderr_hold();
    }
    atexit(end);
}
