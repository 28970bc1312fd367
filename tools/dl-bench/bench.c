/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

extern char **environ;

/* ---- numbers ---- */

static int double_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double median_of(double *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, double_compare);
    return numbers[count / 2];
}

/* ---- files ---- */

bool file_line(const char *path, const char *begin, char *line, size_t bytes)
{
    char *text = NULL;
    size_t room = 0;
    bool found = false;
    FILE *file = fopen(path, "r");

    while (file && getline(&text, &room, file) >= 0)
        if (strncmp(text, begin, strlen(begin)) == 0) {
            snprintf(line, bytes, "%.*s", (int)strcspn(text, "\n"), text);
            found = true;
        }
    if (file)
        fclose(file);
    free(text);
    return found;
}

bool work_make(char folder[WORK_BYTES])
{
    const char *temporary = getenv("TMPDIR");

    snprintf(folder, WORK_BYTES, "%.200s/dl-bench-XXXXXX",
             temporary && *temporary ? temporary : "/tmp");
    if (mkdtemp(folder))
        return true;
    perror(folder);
    return false;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info, (void)kind, (void)at;
    return remove(path);
}

void folder_remove(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- a line on a terminal ---- */

void progress_text(const struct progress *progress, double seconds, char *text,
                   size_t room)
{
    size_t left = progress->total - progress->done;
    unsigned long left_s = 0;

    if (progress->done > 0)
        left_s = (unsigned long)(seconds / (double)progress->done * (double)left + 0.5);
    if (progress->done == 0 || left == 0)
        snprintf(text, room, "%zu of %zu", progress->done, progress->total);
    else
        snprintf(text, room, "%zu of %zu, %lu:%02lu left", progress->done,
                 progress->total, left_s / 60, left_s % 60);
}

void progress_clear(void)
{
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

static void show(const struct progress *progress)
{
    char text[96];

    if (!isatty(STDERR_FILENO))
        return;
    progress_text(progress, now_s() - progress->start_s, text, sizeof text);
    progress_clear();
    fprintf(stderr, "%s ", text);
    fflush(stderr);
    if (progress->done == progress->total)
        progress_clear();
}

struct progress progress_begin(size_t total)
{
    struct progress progress = {now_s(), 0, total};

    show(&progress);
    return progress;
}

void progress_step(struct progress *progress)
{
    progress->done++;
    show(progress);
}

/* ---- programs of their own ---- */

bool own_folder(char folder[PATH_MAX])
{
    ssize_t bytes = readlink("/proc/self/exe", folder, PATH_MAX - 64);
    char *slash;

    folder[bytes > 0 ? bytes : 0] = '\0';
    slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    else
        perror("dl-bench");
    return slash != NULL;
}

void environment_without_dl(void)
{
    char name[64];

    unsetenv("LD_PRELOAD");
    unsetenv("OPENCL_LAYERS");
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
}

static void output_to(const char *path, int descriptor)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);

    if (file >= 0)
        dup2(file, descriptor);
}

pid_t process_start(const struct words *words, const char *out, const char *err)
{
    pid_t pid;

    fflush(NULL);
    pid = fork();
    if (pid != 0)
        return pid;
    if (out)
        output_to(out, STDOUT_FILENO);
    if (err)
        output_to(err, STDERR_FILENO);
    execvp(words->argv[0], (char **)words->argv);
    perror(words->argv[0]);
    _exit(127);
}

int process_wait(pid_t pid)
{
    int status = 0;

    if (pid < 0 || waitpid(pid, &status, 0) < 0)
        return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void words_add(struct words *words, ...)
{
    const char *word;
    va_list args;

    va_start(args, words);
    while ((word = va_arg(args, const char *)) != NULL)
        if (words->count + 1 < COUNT(words->argv)) {
            words->argv[words->count++] = word;
            words->argv[words->count] = NULL;
        }
    va_end(args);
}
