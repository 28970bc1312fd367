/* SPDX-License-Identifier: MIT */
/* One run of one program, in a process of its own. */
#include "apps.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../bench.h" /* now_s */

enum { ARGUMENTS_MAX = 32, LEFT_BEHIND_S = 120 };

extern char **environ;

/* ---- the child ---- */

/* The user's settings of DL must not decide what is measured; where its libclang is may
 * be known to them alone. */
static void environment_set(const char *caches)
{
    static const char *const folders[][2] = {
        {"DL_CACHE", "dl"}, {"CUDA_CACHE_PATH", "cuda"}, {"POCL_CACHE_DIR", "pocl"}};
    char name[64], path[PATH_MAX];

    for (char **at = environ; *at;) {
        size_t bytes = strcspn(*at, "=");
        if (strncmp(*at, "DL_", 3) != 0 || strncmp(*at, "DL_LIBCLANG=", 12) == 0 ||
            bytes >= sizeof name) {
            at++;
            continue;
        }
        memcpy(name, *at, bytes);
        name[bytes] = '\0';
        unsetenv(name);
    }
    unsetenv("CUDA_CACHE_DISABLE");
    mkdir(caches, 0700);
    for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
        snprintf(path, sizeof path, "%s/%s", caches, folders[f][1]);
        mkdir(path, 0700);
        setenv(folders[f][0], path, 1);
    }
}

static void redirect(const char *work, const char *name, int to)
{
    char path[PATH_MAX];
    int fd;

    snprintf(path, sizeof path, "%s/%s", work, name);
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd >= 0)
        dup2(fd, to);
}

/* Becomes the program. */
static void child(const struct apps_rows *rows, const struct apps_row *row,
                  const struct apps_options *options, enum apps_layout layout, int steps,
                  const char *work, const char *caches)
{
    char runner[PATH_MAX], times[PATH_MAX], count[16];
    char *arguments = strdup(row->arguments), *rest = arguments;
    const char *argv[ARGUMENTS_MAX];
    size_t argc = 0;

    snprintf(runner, sizeof runner, "%.4000s/dl-run", rows->folder);
    snprintf(times, sizeof times, "%s/times", work);
    snprintf(count, sizeof count, "%d", steps);
    if (layout != APPS_NATIVE) {
        argv[argc++] = runner;
        argv[argc++] = "--layout";
        argv[argc++] = apps_layout_names[layout];
        /* Kernels without annotation are part of some patterns. */
        argv[argc++] = "--detect";
        argv[argc++] = "off";
        if (layout == APPS_AUTO && *options->explain)
            argv[argc++] = "--explain-policy";
        argv[argc++] = "--";
    }
    argv[argc++] = row->program;
    for (char *word; (word = strsep(&rest, " ")) != NULL && argc < ARGUMENTS_MAX - 8;)
        argv[argc++] = word;
    argv[argc++] = "--steps";
    argv[argc++] = count;
    argv[argc++] = "--timeline";
    argv[argc++] = times;
    if (*options->device) {
        argv[argc++] = "--device";
        argv[argc++] = options->device;
    }
    argv[argc] = NULL;
    redirect(work, "out", 1);
    redirect(work, "err", 2);
    environment_set(caches);
    execv(argv[0], (char **)argv);
    perror(argv[0]);
    _exit(127);
}

/* ---- what it has written ---- */

struct marks {
    double main_s, opening_s, opened_s, waited_s, finished_s, closed_s, leaving_s;
};

static bool times_grow(struct apps_times *times)
{
    double **arrays[] = {&times->busy_ms, &times->kernel_ms, &times->wall_ms};

    if (times->steps & (times->steps - 1))
        return true; /* there is room up to the next power of two */
    for (size_t a = 0; a < 3; a++) {
        size_t room = times->steps ? 2 * times->steps : 1;
        double *grown = realloc(*arrays[a], room * sizeof *grown);
        if (!grown)
            return false;
        *arrays[a] = grown;
    }
    return true;
}

static bool step_read(const char *line, const struct marks *marks,
                      struct apps_times *times)
{
    double end_s, busy_s, kernel_s;

    if (sscanf(line, "step %lf %lf %lf", &end_s, &busy_s, &kernel_s) != 3 ||
        !times_grow(times))
        return false;
    times->wall_ms[times->steps] = 1e3 * (end_s - marks->opened_s - marks->waited_s);
    times->busy_ms[times->steps] = 1e3 * busy_s;
    times->kernel_ms[times->steps++] = 1e3 * kernel_s;
    return true;
}

/* False: it is not a whole timeline. */
static bool times_read(const char *work, double forked_s, double exited_s,
                       struct apps_times *times)
{
    struct marks marks = {0};
    const struct {
        const char *name;
        double *out;
    } names[] = {{"main ", &marks.main_s},         {"opening ", &marks.opening_s},
                 {"opened ", &marks.opened_s},     {"waited ", &marks.waited_s},
                 {"finished ", &marks.finished_s}, {"closed ", &marks.closed_s},
                 {"leaving ", &marks.leaving_s}};
    char path[PATH_MAX], line[512];
    bool good = true;
    FILE *file;

    snprintf(path, sizeof path, "%s/times", work);
    file = fopen(path, "r");
    if (!file)
        return false;
    while (good && fgets(line, sizeof line, file)) {
        for (size_t n = 0; n < sizeof names / sizeof *names; n++)
            if (strncmp(line, names[n].name, strlen(names[n].name)) == 0)
                *names[n].out = atof(strchr(line, ' '));
        if (strncmp(line, "step ", 5) == 0)
            good = step_read(line, &marks, times);
        sscanf(line, "device %255[^\n]", times->device);
    }
    fclose(file);
    times->start_ms = 1e3 * (marks.main_s - forked_s + marks.opened_s - marks.opening_s);
    times->end_ms =
        1e3 * (marks.closed_s - marks.finished_s + exited_s - marks.leaving_s);
    return good && times->steps > 0 && marks.leaving_s > 0;
}

static bool checksum_read(const char *work, uint64_t *checksum)
{
    char path[PATH_MAX], line[256];
    unsigned long long sum;
    bool found = false;
    FILE *file;

    snprintf(path, sizeof path, "%s/out", work);
    file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "checksum: %llx", &sum) == 1) {
            *checksum = sum;
            found = true;
        }
    if (file)
        fclose(file);
    return found;
}

void apps_run_said(const struct apps_row *row, enum apps_layout layout, const char *work)
{
    char path[PATH_MAX], line[512];
    FILE *file;

    snprintf(path, sizeof path, "%s/err", work);
    file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "dl:", 3) == 0)
            fprintf(stderr, "%s, %s: %s", row->name, apps_layout_names[layout], line);
    if (file)
        fclose(file);
}

/* What the program said last. */
static void complain(const char *work, const struct apps_row *row,
                     enum apps_layout layout, int status)
{
    char path[PATH_MAX], line[512], last[512] = "nothing";
    FILE *file;

    snprintf(path, sizeof path, "%s/err", work);
    file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        snprintf(last, sizeof last, "%.*s", (int)strcspn(line, "\n"), line);
    if (file)
        fclose(file);
    fprintf(stderr, "dl-bench apps: %s, %s: failed with %s %d; it said: %s\n", row->name,
            apps_layout_names[layout], WIFSIGNALED(status) ? "signal" : "exit code",
            WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), last);
}

/* DL may build on in a process of its own once the program is gone. The next run must not
 * find that half done, nor share the processors with it; orphans are this process's, and
 * are waited for. */
static void left_behind_wait(const struct apps_row *row)
{
    const struct timespec pause = {.tv_nsec = 5000000};
    double limit_s = now_s() + LEFT_BEHIND_S;
    pid_t pid;

    while ((pid = waitpid(-1, NULL, WNOHANG)) >= 0 && now_s() < limit_s)
        if (pid == 0)
            nanosleep(&pause, NULL);
    if (pid >= 0)
        fprintf(stderr, "dl-bench apps: %s: a process it has left behind still runs\n",
                row->name);
}

bool apps_run(const struct apps_rows *rows, const struct apps_row *row,
              const struct apps_options *options, enum apps_layout layout, int steps,
              const char *work, const char *caches, struct apps_times *out)
{
    double forked_s, exited_s;
    char times[PATH_MAX];
    int status = 0;
    pid_t pid;

    *out = (struct apps_times){0};
    snprintf(times, sizeof times, "%s/times", work);
    remove(times);
    fflush(NULL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    forked_s = now_s();
    pid = fork();
    if (pid == 0)
        child(rows, row, options, layout, steps, work, caches);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    exited_s = now_s();
    left_behind_wait(row);
    if (pid > 0 && status == 0 && times_read(work, forked_s, exited_s, out) &&
        checksum_read(work, &out->checksum))
        return true;
    complain(work, row, layout, status);
    return false;
}

void apps_times_free(struct apps_times *times)
{
    free(times->busy_ms);
    free(times->kernel_ms);
    free(times->wall_ms);
    *times = (struct apps_times){0};
}
