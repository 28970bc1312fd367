/* SPDX-License-Identifier: MIT */
/* One line at the end of a program that was to be watched (--stats, --trace, --advise, --verify,
 * --explain-policy) and made no OpenCL context.
 *
 * That is said of the process that dl-run became alone: a script starts many more that have nothing to
 * do with OpenCL. dl-run names it in a variable. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "facts.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/standard_error.h"
#include "options/environment.h"
#include "options/options.h"

enum { PATH_BYTES = 256 };

static pid_t owner;
static char wishes[128]; /* "--stats, --verify" */

/* The library of a loader that is in this process; false: there is none. In a namespace of its own
 * (dlmopen), too, which dl_iterate_phdr does not see. */
static bool find_loader(char *path)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char *line = NULL, *at = NULL;
    size_t room = 0;

    while (maps && !at && getline(&line, &room, maps) >= 0)
        if ((at = strchr(line, '/')) && !strstr(strrchr(line, '/'), "/libOpenCL"))
            at = NULL;
    if (at)
        snprintf(path, PATH_BYTES, "%.*s", (int)strcspn(at, "\n"), at);
    free(line);
    if (maps)
        fclose(maps);
    return at != NULL;
}

/* Whether it has had children that have ended. */
static bool had_children(void)
{
    struct rusage used;

    return getrusage(RUSAGE_CHILDREN, &used) == 0 && used.ru_maxrss > 0;
}

static void say_unused(void)
{
    char loader[PATH_BYTES];
    const char *name = program_invocation_short_name;

    if (getpid() != owner || dl__facts_any_context())
        return;
    dl__stderr_use_held();
    if (find_loader(loader))
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

/* Before the program's own exit handlers, so that what is said comes behind theirs. */
__attribute__((constructor)) static void begin(void)
{
    static const enum dl_option watching[] = {DL_OPTION_stats, DL_OPTION_trace,
                                              DL_OPTION_advise, DL_OPTION_verify,
                                              DL_OPTION_explain_policy};

    if (!is_started_by_dl_run())
        return;
    for (size_t i = 0; i < sizeof watching / sizeof *watching; i++)
        add_wish(watching[i]);
    if (!*wishes)
        return;
    owner = getpid();
    dl__stderr_begin();
    dl__stderr_hold();
    atexit(say_unused);
}
