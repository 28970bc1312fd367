/* watched [-q] [-i SECONDS] [-c SECONDS] [-s SECONDS] COMMAND [ARGUMENT]...: runs a command and ends it
 * when it makes no progress: when neither it nor what it started has used any processor time for
 * so long (-i, 60), when they have used more of it than they may (-c), or more than they may
 * since the last output (-s: some drivers wait busily). How long all takes by the clock, which is
 * longer on a busy machine, is no matter. Where DL_TEST_FULL is set -c is no limit: those tests
 * take hours. The exit code is the command's, 128 and the signal if one ended it, or 124, with a
 * line on standard error, when this program did. With -q PoCL does not optimise what it builds, unless
 * DL_TEST_FULL or DL_TURN=1 is set: for tests of which bytes go where, and in what order. */
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

static bool read_process(const char *name, struct process *process)
{
    char path[64], text[1024], *at;
    unsigned long long user, system, child_user, child_system;
    FILE *file;
    size_t bytes;

    snprintf(path, sizeof path, "/proc/%.20s/stat", name);
    file = fopen(path, "r");
    if (!file)
        return false;
    bytes = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[bytes] = '\0';
    at = strrchr(text, ')'); /* the name before it may hold anything */
    if (!at ||
        sscanf(at + 1, " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu",
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

static unsigned long long used_ticks(void)
{
    unsigned long long ticks = 0;

    find_descendants();
    for (size_t i = 0; i < process_count; i++)
        ticks += processes[i].is_ours ? processes[i].ticks : 0;
    return ticks;
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

/* True: it has ended, with `status`; orphans are laid to rest on the way. */
static bool has_ended(pid_t child, int *status)
{
    int other;
    pid_t pid;

    while ((pid = waitpid(-1, &other, WNOHANG)) > 0) {
        if (pid == child) {
            *status = other;
            return true;
        }
    }
    return false;
}

/* Hands on what the command has written; waits 0.2 s for it, or until a child ends. True: some. */
static bool pass_output(int from)
{
    const struct timespec turn = {0, 200 * 1000 * 1000};
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

static int watch(pid_t child, int output, const struct limits *limits)
{
    const double ticks_a_second = (double)sysconf(_SC_CLK_TCK);
    unsigned long long ticks = 0, before = 0, at_output = 0;
    double since = now();
    int status;

    while (!has_ended(child, &status)) {
        bool is_output = pass_output(output);

        if (caught && caught != SIGCHLD) {
            kill_descendants();
            return 128 + caught;
        }
        ticks = used_ticks();
        if (is_output)
            at_output = ticks;
        if (ticks != before || is_output)
            since = now();
        before = ticks;
        if (now() - since >= limits->idle)
            fprintf(stderr, "watched: nothing done in %.0f s\n", now() - since);
        else if (limits->all > 0 && (double)ticks / ticks_a_second >= limits->all)
            fprintf(stderr, "watched: %.0f s of processor time\n", limits->all);
        else if (limits->silent > 0 &&
                 (double)(ticks - at_output) / ticks_a_second >= limits->silent)
            fprintf(stderr, "watched: %.0f s of processor time without output\n",
                    limits->silent);
        else
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

/* Optimised and other binaries look alike to DL's cache: the others have one of their own. */
static void build_quickly(void)
{
    const char *turn = getenv("DL_TURN"), *cache = getenv("DL_CACHE");
    char other[4096];

    if (getenv("DL_TEST_FULL") || (turn && *turn == '1') ||
        getenv("POCL_EXTRA_BUILD_FLAGS"))
        return;
    setenv("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable", 1);
    if (cache && *cache == '/' &&
        snprintf(other, sizeof other, "%s-quick", cache) < (int)sizeof other)
        setenv("DL_CACHE", other, 1);
}

int main(int argc, char **argv)
{
    struct limits limits = {.idle = 60};
    struct sigaction action = {.sa_handler = note_signal};
    sigset_t signals, before;
    int option, ends[2] = {-1, -1};
    pid_t child;

    while ((option = getopt(argc, argv, "+qi:c:s:")) != -1) {
        if (option == 'i')
            limits.idle = atof(optarg);
        else if (option == 'c')
            limits.all = getenv("DL_TEST_FULL") ? 0 : atof(optarg);
        else if (option == 's')
            limits.silent = atof(optarg);
        else if (option == 'q')
            build_quickly();
        else
            return NOT_RUN;
    }
    if (optind == argc) {
        fputs("usage: watched [-q] [-i SECONDS] [-c SECONDS] [-s SECONDS] COMMAND "
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
