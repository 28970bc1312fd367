/* SPDX-License-Identifier: MIT */
/* watched [-q|-Q] [-i SECONDS] [-c SECONDS] [-s SECONDS] COMMAND [ARGUMENT]...: runs a
 * command and ends it when it makes no progress: when neither it nor what it started has
 * used any processor time for so long (-i, 60), when they have used more of it than they
 * may (-c), or more than they may since the last output (-s: some drivers wait busily).
 * How long all takes by the clock, which is longer on a busy machine, is no matter: time
 * counts for -i only as this program itself gets turns, and not while something is ready
 * to run or waits for a disk. What each thread waited for when it was ended is told on
 * standard error. Where DL_TEST_FULL is set -c is no limit: those tests take hours. The
 * exit code is the command's, 128 and the signal if one ended it, or 124, with a line on
 * standard error, when this program did. With -q PoCL does not optimise what it builds,
 * unless DL_TEST_FULL or DL_TURN=1 is set: for tests of which bytes go where, and in what
 * order; with -Q unless DL_TEST_FULL is set: for those of what DL does around the
 * kernels, which the sanitizers watch, too. Unless DL_TEST_FULL is set the command has
 * the PoCL of drivers/small_pocl.py, where it was made, and its kernels are linked by
 * drivers/linker.c; and it finds Python itself before a version manager's script. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_PROCESSES = 8192, NOT_RUN = 127, NO_PROGRESS = 124 };

struct process {
    pid_t pid, parent;
    unsigned long long
        ticks; /* its own and those of children that have been waited for */
    bool is_ours;
};

/* In seconds; 0: none. */
struct limits {
    double idle;        /* by the clock, without any processor time */
    double all, silent; /* processor time, in all and since the last output */
};

static struct process processes[MOST_PROCESSES];
static size_t process_count;
static double
    rested_seconds; /* processor time of orphans that this process has waited for */

/* The fields behind the name, which may hold anything, of a process's or a thread's
 * `stat`. */
static bool read_stat(const char *path, char *text, size_t size, const char **fields)
{
    FILE *file = fopen(path, "r");
    size_t bytes;

    if (!file)
        return false;
    bytes = fread(text, 1, size - 1, file);
    fclose(file);
    text[bytes] = '\0';
    *fields = strrchr(text, ')');
    if (!*fields)
        return false;
    *fields += 1 + ((*fields)[1] == ' ');
    return true;
}

static bool read_process(const char *name, struct process *process)
{
    char path[64], text[1024];
    const char *fields;
    unsigned long long user, system, child_user, child_system;

    snprintf(path, sizeof path, "/proc/%.20s/stat", name);
    if (!read_stat(path, text, sizeof text, &fields) ||
        sscanf(fields, "%*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu",
               &process->parent, &user, &system, &child_user, &child_system) != 5)
        return false;
    process->pid = (pid_t)atoi(name);
    process->ticks = user + system + child_user + child_system;
    process->is_ours = false;
    return true;
}

static bool is_ours(pid_t pid)
{
    for (size_t i = 0; i < process_count; i++) {
        if (processes[i].pid == pid)
            return processes[i].is_ours;
    }
    return false;
}

/* Finds all descendants of this process, which orphans are given to. */
static void find_descendants(void)
{
    DIR *directory = opendir("/proc");
    const struct dirent *entry;
    bool more = true;

    process_count = 0;
    while (directory && (entry = readdir(directory)) && process_count < MOST_PROCESSES) {
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
            read_process(entry->d_name, &processes[process_count]))
            process_count++;
    }
    if (directory)
        closedir(directory);
    while (more) {
        more = false;
        for (size_t i = 0; i < process_count; i++) {
            if (!processes[i].is_ours &&
                (processes[i].parent == getpid() || is_ours(processes[i].parent))) {
                processes[i].is_ours = true;
                more = true;
            }
        }
    }
}

/* In seconds. A child that is waited for while this looks about may be missing or be
 * counted twice. */
static double used_seconds(void)
{
    unsigned long long ticks = 0;

    find_descendants();
    for (size_t i = 0; i < process_count; i++)
        ticks += processes[i].is_ours ? processes[i].ticks : 0;
    return rested_seconds + (double)ticks / (double)sysconf(_SC_CLK_TCK);
}

static void tell_thread(pid_t pid, const char *thread, const char *stat)
{
    char path[96], where[64] = "";
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/task/%.20s/wchan", (int)pid, thread);
    file = fopen(path, "r");
    if (file) {
        where[fread(where, 1, sizeof where - 1, file)] = '\0';
        fclose(file);
    }
    fprintf(stderr, "watched:     thread %.20s: %c %s\n", thread, *stat, where);
}

/* Whether a thread of the process is ready to run or waits for a disk; or tells of each.
 */
static bool look_at_threads(pid_t pid, bool tell)
{
    char path[96], text[1024];
    const char *stat;
    const struct dirent *entry;
    bool is_busy = false;
    DIR *directory;

    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    directory = opendir(path);
    while (directory && (entry = readdir(directory))) {
        snprintf(path, sizeof path, "/proc/%d/task/%.20s/stat", (int)pid, entry->d_name);
        if (entry->d_name[0] == '.' || !read_stat(path, text, sizeof text, &stat))
            continue;
        if (tell)
            tell_thread(pid, entry->d_name, stat);
        is_busy |= *stat == 'R' || *stat == 'D';
    }
    if (directory)
        closedir(directory);
    return is_busy;
}

/* Whether any of the processes that were found could go on if the machine let it. */
static bool is_any_busy(void)
{
    bool is_busy = false;

    for (size_t i = 0; i < process_count && !is_busy; i++)
        is_busy = processes[i].is_ours && look_at_threads(processes[i].pid, false);
    return is_busy;
}

static void tell_processes(void)
{
    char path[64], command[200];
    FILE *file;
    size_t bytes = 0;

    for (size_t i = 0; i < process_count; i++) {
        if (!processes[i].is_ours)
            continue;
        snprintf(path, sizeof path, "/proc/%d/cmdline", (int)processes[i].pid);
        file = fopen(path, "r");
        bytes = file ? fread(command, 1, sizeof command - 1, file) : 0;
        if (file)
            fclose(file);
        for (size_t c = 0; c < bytes; c++)
            command[c] = command[c] == '\0' ? ' ' : command[c];
        command[bytes] = '\0';
        fprintf(stderr, "watched: process %d: %s\n", (int)processes[i].pid, command);
        look_at_threads(processes[i].pid, true);
    }
}

static void kill_descendants(void)
{
    for (int round = 0; round < 3; round++) { /* some may be born meanwhile */
        find_descendants();
        for (size_t i = 0; i < process_count; i++) {
            if (processes[i].is_ours)
                kill(processes[i].pid, SIGKILL);
        }
    }
}

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double seconds_of(const struct timeval *time)
{
    return (double)time->tv_sec + (double)time->tv_usec * 1e-6;
}

/* True: it has ended, with `status`; orphans are laid to rest on the way. */
static bool has_ended(pid_t child, int *status)
{
    struct rusage usage;
    int other;
    pid_t pid;

    while ((pid = wait4(-1, &other, WNOHANG, &usage)) > 0) {
        if (pid == child) {
            *status = other;
            return true;
        }
        rested_seconds += seconds_of(&usage.ru_utime) + seconds_of(&usage.ru_stime);
    }
    return false;
}

/* Hands on what the command has written; waits 0.25 s for it, or until a child ends.
 * True: some. */
static bool pass_output(int from)
{
    const struct timespec turn = {0, 250 * 1000 * 1000};
    sigset_t none;
    struct pollfd wait = {from, POLLIN, 0};
    char bytes[65536];
    ssize_t count;

    sigemptyset(&none);
    if (ppoll(&wait, from >= 0, &turn, &none) <= 0)
        return false;
    if (!(wait.revents & POLLIN)) { /* closed, yet the command goes on */
        ppoll(NULL, 0, &turn, &none);
        return false;
    }
    count = read(from, bytes, sizeof bytes);
    for (ssize_t done = 0, now_done; done < count; done += now_done) {
        now_done = write(STDOUT_FILENO, bytes + done, (size_t)(count - done));
        if (now_done < 0)
            return false;
    }
    return count > 0;
}

static const int caught_signals[] = {SIGCHLD, SIGTERM, SIGINT};
static volatile sig_atomic_t caught;

static void note_signal(int signal)
{
    caught = signal;
}

struct progress {
    double looked;     /* when, by the clock */
    double used, most; /* processor time, as seen last and the most that was ever seen */
    double at_output;
    double idle;    /* for how long nothing was done */
    bool is_output; /* since the last look */
    bool was_over;  /* a limit, at the last look */
};

/* Takes note of what was done since the last look. */
static void look(struct progress *at, double turn_seconds)
{
    /* longer ones: this program did not run, so why should others */
    const double most_a_turn = 2 * turn_seconds;
    const double passed = now() - at->looked, before = at->used;

    at->looked += passed;
    at->used = used_seconds();
    if (at->used != before || at->is_output)
        at->idle = 0;
    else
        at->idle += passed < most_a_turn ? passed : most_a_turn;
    if (at->used > at->most)
        at->most = at->used;
    if (at->is_output)
        at->at_output = at->most;
    at->is_output = false;
}

/* Says which limit it is over, if any. A single look may be wrong, see used_seconds. */
static bool is_over(struct progress *at, const struct limits *limits)
{
    const bool is_all = limits->all > 0 && at->used >= limits->all;
    const bool is_silent =
        limits->silent > 0 && at->used - at->at_output >= limits->silent;
    const bool was_over = at->was_over;

    if (at->idle >= limits->idle) {
        if (!is_any_busy()) {
            tell_processes();
            fprintf(stderr, "watched: nothing done in %.0f s\n", at->idle);
            return true;
        }
        at->idle = 0;
    }
    at->was_over = is_all || is_silent;
    if (!at->was_over || !was_over)
        return false;
    tell_processes();
    fprintf(stderr, "watched: %.0f s of processor time%s\n",
            is_all ? limits->all : limits->silent, is_all ? "" : " without output");
    return true;
}

static int watch(pid_t child, int output, const struct limits *limits)
{
    /* A look costs milliseconds, of every process there is. */
    const double least_turn = limits->idle >= 60 ? 1 : 0.25;
    struct progress at = {.looked = now()};
    int status;

    while (!has_ended(child, &status)) {
        at.is_output |= pass_output(output);
        if (caught && caught != SIGCHLD) {
            kill_descendants();
            return 128 + caught;
        }
        if (now() - at.looked < least_turn)
            continue;
        look(&at, least_turn);
        if (!is_over(&at, limits))
            continue;
        kill_descendants();
        return NO_PROGRESS;
    }
    while (output >= 0 && pass_output(output))
        ;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void be_command(char **argv, int output, const sigset_t *signals)
{
    sigprocmask(SIG_SETMASK, signals, NULL);
    if (output >= 0)
        dup2(output, STDOUT_FILENO);
    execvp(argv[0], argv);
    fprintf(stderr, "watched: %s: %s\n", argv[0], strerror(errno));
    _exit(NOT_RUN);
}

/* Optimised and other binaries look alike to DL's cache: the others have one of their
 * own. */
static void build_quickly(bool in_each_turn)
{
    const char *turn = getenv("DL_TURN"), *cache = getenv("DL_CACHE");
    char other[4096];

    if (getenv("DL_TEST_FULL") || (turn && *turn == '1' && !in_each_turn) ||
        getenv("POCL_EXTRA_BUILD_FLAGS"))
        return;
    setenv("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable", 1);
    setenv("POCL_WORK_GROUP_METHOD", "loops", 0); /* without the vectoriser */
    if (cache && *cache == '/' &&
        snprintf(other, sizeof other, "%s-quick", cache) < (int)sizeof other)
        setenv("DL_CACHE", other, 1);
}

/* Those beside this program. */
static void use_small_pocl(void)
{
    char self[4000], path[4096], icd[4200];
    ssize_t bytes = readlink("/proc/self/exe", self, sizeof self - 1);

    if (getenv("DL_TEST_FULL") || bytes <= 0)
        return;
    self[bytes] = '\0';
    *strrchr(self, '/') = '\0';
    snprintf(path, sizeof path, "%s/linker", self);
    if (access(path, R_OK) == 0)
        setenv("COMPILER_PATH", path, 0);
    snprintf(path, sizeof path, "%s/pocl/vendors", self);
    snprintf(icd, sizeof icd, "%s/pocl.icd", path);
    if (access(icd, R_OK) == 0)
        setenv("OCL_ICD_VENDORS", path, 0);
}

static void use_python(void)
{
#ifdef PYTHON_FOLDER
    const char *path = getenv("PATH");
    char *longer;

    if (!path || strncmp(path, PYTHON_FOLDER ":", sizeof PYTHON_FOLDER) == 0 ||
        asprintf(&longer, "%s:%s", PYTHON_FOLDER, path) < 0)
        return;
    setenv("PATH", longer, 1);
    free(longer);
#endif
}

int main(int argc, char **argv)
{
    struct limits limits = {.idle = 60};
    struct sigaction action = {.sa_handler = note_signal};
    sigset_t signals, before;
    int option, ends[2] = {-1, -1};
    pid_t child;

    while ((option = getopt(argc, argv, "+qQi:c:s:")) != -1) {
        if (option == 'i')
            limits.idle = atof(optarg);
        else if (option == 'c')
            limits.all = getenv("DL_TEST_FULL") ? 0 : atof(optarg);
        else if (option == 's')
            limits.silent = atof(optarg);
        else if (option == 'q' || option == 'Q')
            build_quickly(option == 'Q');
        else
            return NOT_RUN;
    }
    use_small_pocl();
    use_python();
    if (optind == argc) {
        fputs("usage: watched [-q|-Q] [-i SECONDS] [-c SECONDS] [-s SECONDS] COMMAND "
              "[ARGUMENT]...\n",
              stderr);
        return NOT_RUN;
    }
    sigemptyset(&signals);
    for (size_t i = 0; i < sizeof caught_signals / sizeof *caught_signals; i++) {
        sigaddset(&signals, caught_signals[i]);
        sigaction(caught_signals[i], &action, NULL);
    }
    sigprocmask(SIG_BLOCK, &signals, &before); /* but while output is waited for */
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    if (limits.silent > 0 && pipe2(ends, O_CLOEXEC) != 0) {
        perror("watched: pipe");
        return NOT_RUN;
    }
    child = fork();
    if (child == 0)
        be_command(argv + optind, ends[1], &before);
    if (child < 0) {
        perror("watched: fork");
        return NOT_RUN;
    }
    if (ends[1] >= 0)
        close(ends[1]);
    return watch(child, ends[0], &limits);
}
