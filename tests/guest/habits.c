/* SPDX-License-Identifier: MIT */
/* habits NAME: what other runtimes do in their processes, around some OpenCL work, a
 * function each. What they print depends on nothing but the work. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "work.h"

enum { LAUNCHES = 30 };

static void say(const char *what, unsigned long hash)
{
    printf("%s %lx\n", what, hash);
    fflush(stdout);
}

/* ---- signals ---- */

static char *page;
static volatile sig_atomic_t hits, ticks;
static sigjmp_buf back;

static void open_page(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    hits++;
    if ((char *)info->si_addr < page || (char *)info->si_addr >= page + 4096)
        _exit(3);
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

static void handle(int number, void (*handler)(int, siginfo_t *, void *), int flags)
{
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};

    sigaction(number, &action, NULL);
}

/* As JVMs and garbage collectors do: pages become readable when they are read. */
static void sigsegv(void)
{
    static char stack[1 << 16];
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};

    sigaltstack(&other, NULL);
    page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    guest_begin(); /* the driver has handlers, too */
    handle(SIGSEGV, open_page, SA_ONSTACK);
    guest_launch(LAUNCHES);
    guest_wait();
    page[5] = 7;
    mprotect(page, 4096, PROT_NONE);
    say("sigsegv", guest_end());
    page[6] = 7;
    say("hits", (unsigned long)hits);
}

static void tick(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    (void)context;
    ticks++;
}

/* How many signals the thread blocks. */
static int blocked_count(void)
{
    sigset_t blocked;
    int count = 0;

    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    for (int number = 1; number <= SIGRTMAX; number++)
        count += sigismember(&blocked, number) == 1;
    return count;
}

static void sigprof(void)
{
    const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};

    handle(SIGPROF, tick, SA_RESTART);
    handle(SIGALRM, tick, 0);
    setitimer(ITIMER_PROF, &often, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    say("sigprof", guest_work(10 * LAUNCHES));
    say("blocked", (unsigned long)blocked_count());
    setitimer(ITIMER_PROF, &never, NULL);
    setitimer(ITIMER_REAL, &never, NULL);
}

static void jump(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    (void)context;
    siglongjmp(back, 1);
}

static void longjmp_out(void)
{
    page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    guest_begin();
    handle(SIGSEGV, jump, SA_NODEFER);
    for (int i = 0; i < LAUNCHES; i++) {
        if (sigsetjmp(back, 1) == 0)
            page[i] = 1;
        else
            hits++;
        guest_launch(1);
    }
    guest_wait();
    say("longjmp", guest_end());
    say("hits", (unsigned long)hits);
}

/* ---- processes ---- */

static void report(const char *how, pid_t child)
{
    int status = -1;

    while (child > 0 && waitpid(child, &status, __WALL) < 0 && errno == EINTR)
        ;
    printf("%s %d\n", how, status);
    fflush(stdout);
}

/* The child ends by exit, with its own atexit functions. */
static void fork_alone(void)
{
    pid_t child;

    guest_begin();
    guest_launch(LAUNCHES);
    guest_wait();
    child = fork();
    if (child == 0)
        exit(5);
    report("exit", child);
    child = fork();
    if (child == 0)
        _exit(6);
    report("_exit", child);
    guest_launch(LAUNCHES);
    say("fork", guest_end());
    /* It has no child but those that it has started. */
    printf("any other: %d\n", (int)waitpid(-1, NULL, WNOHANG | __WALL));
}

static void vfork_exec(void)
{
    char *const command[] = {"/bin/echo", "child", NULL};
    pid_t child;

    guest_begin();
    guest_launch(LAUNCHES);
    child = vfork();
    if (child == 0) {
        execve(command[0], command, environ);
        _exit(127);
    }
    report("vfork", child);
    say("vfork", guest_end());
}

static void spawn(void)
{
    char *const command[] = {"sh", "-c", "echo child; exit 4", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t child = -1;

    guest_begin();
    guest_launch(LAUNCHES);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addclose(&actions, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnp(&child, command[0], &actions, &attributes, command, environ);
    report("spawn", child);
    say("spawn", guest_end());
}

static int end_at_once(void *user)
{
    (void)user;
    syscall(SYS_exit, 8);
    return 0;
}

/* Past the C library, and with its memory shared. */
static void clone_raw(void)
{
    static char stack[1 << 16];
    long child;

    guest_begin();
    guest_launch(LAUNCHES);
    child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0)
        syscall(SYS_exit_group, 7);
    report("clone", (pid_t)child);
    report("shared", clone(end_at_once, stack + sizeof stack, CLONE_VM | SIGCHLD, NULL));
    say("clone", guest_end());
}

/* ---- libraries and ends ---- */

static void use_library(void *library)
{
    unsigned long (*work)(int);
    void *symbol = library ? dlsym(library, "guest_work") : NULL;

    if (!symbol) {
        printf("%s\n", dlerror());
        exit(1);
    }
    memcpy(&work, &symbol, sizeof symbol);
    say("plugin", work(LAUNCHES));
}

static void close_library(void)
{
    for (int i = 0; i < 3; i++) {
        void *library = dlopen(GUEST_PLUGIN, RTLD_NOW | RTLD_LOCAL);

        use_library(library);
        dlclose(library);
    }
}

/* A plug-in whose calls go past what is preloaded, unless the loader calls it. */
static void bind_deeply(void)
{
    use_library(dlopen(GUEST_PLUGIN, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND));
}

static void open_apart(void)
{
    use_library(dlmopen(LM_ID_NEWLM, GUEST_PLUGIN, RTLD_NOW | RTLD_LOCAL));
}

static bool work_is_left;

static void at_exit(void)
{
    guest_launch(LAUNCHES);
    say("at exit", guest_end());
}

__attribute__((destructor)) static void at_unload(void)
{
    if (work_is_left)
        puts("destructor");
}

static void leave_work(void)
{
    guest_begin();
    guest_launch(LAUNCHES);
    work_is_left = true;
    atexit(at_exit);
}

/* What was registered before is called after whatever ends with OpenCL. */
static void leave_work_first(void)
{
    work_is_left = true;
    atexit(at_exit);
    guest_begin();
    guest_launch(LAUNCHES);
}

static void work_once(void)
{
    say("work", guest_work(LAUNCHES));
}

/* ---- what is taken away ---- */

static void chroot_empty(void)
{
    char folder[] = "/tmp/guest.XXXXXX";

    if (!mkdtemp(folder))
        exit(77);
    guest_begin();
    guest_launch(1);
    guest_wait();
    if (chroot(folder) != 0 || chdir("/") != 0) {
        rmdir(folder);
        exit(77);
    }
    guest_launch(LAUNCHES);
    guest_wait();
    say("chroot", guest_end());
}

/* DL keeps none of its own, but one to standard error for a run that is told of, beyond
 * 200. */
static unsigned long open_count(void)
{
    unsigned long count = 0;

    for (int fd = 0; fd < 200; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static void close_descriptors(void)
{
    struct stat own, now;
    int file;

    guest_begin();
    guest_launch(1);
    guest_wait();
    say("open", open_count());
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    /* All numbers are the program's own file's now. */
    file = memfd_create("own", 0);
    if (file != 3 || fstat(file, &own) != 0)
        exit(1);
    for (int fd = 4; fd < 1024; fd++)
        dup2(file, fd);
    guest_launch(LAUNCHES);
    guest_wait();
    say("descriptors", guest_end());
    for (int fd = 3; fd < 1024; fd++)
        if (fstat(fd, &now) != 0 || now.st_ino != own.st_ino || now.st_dev != own.st_dev)
            say("lost a descriptor", (unsigned long)fd);
    say("written", (unsigned long)now.st_size);
}

static void forbid(const unsigned *calls, size_t count, unsigned refusal)
{
    struct sock_filter filter[16] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
    struct sock_fprog program = {1, filter};

    for (size_t c = 0; c < count; c++) {
        filter[program.len++] =
            (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[c], 0, 1);
        filter[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, refusal);
    }
    filter[program.len++] =
        (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        exit(77);
}

static const unsigned exec_calls[] = {SYS_execve, SYS_execveat},
                      rare_calls[] = {SYS_memfd_create, SYS_pidfd_open, SYS_execve};

static void seccomp(void)
{
    forbid(exec_calls, 2, SECCOMP_RET_ERRNO | EPERM);
    say("seccomp", guest_work(LAUNCHES));
}

static void seccomp_kill(void)
{
    forbid(exec_calls, 2, SECCOMP_RET_KILL_PROCESS);
    say("seccomp", guest_work(LAUNCHES));
}

/* Of what no driver needs. */
static void seccomp_rare(void)
{
    forbid(rare_calls, 3, SECCOMP_RET_KILL_PROCESS);
    say("seccomp", guest_work(LAUNCHES));
}

static void seccomp_later(void)
{
    guest_begin();
    forbid(rare_calls, 3, SECCOMP_RET_KILL_PROCESS);
    guest_launch(LAUNCHES);
    guest_wait();
    say("seccomp", guest_end());
}

/* Drivers wait with their locks held, so a thread that waits must not be cancelled there,
 * DL or not. */
static void *work_for_ever(void *user)
{
    (void)user;
    for (;;) {
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
        guest_wait();
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
        pthread_testcancel();
    }
    return NULL;
}

/* A launch does not wait: a thread that is to be cancelled comes out of it, and ends
 * then. */
static void *launch_cancelled(void *user)
{
    (void)user;
    pthread_cancel(pthread_self());
    guest_launch(1);
    hits++;
    pthread_testcancel();
    return NULL;
}

static void cancel(void)
{
    pthread_t thread;

    guest_begin();
    for (int i = 0; i < 10; i++) {
        pthread_create(&thread, NULL, launch_cancelled, NULL);
        pthread_join(thread, NULL);
        pthread_create(&thread, NULL, work_for_ever, NULL);
        guest_launch(1);
        usleep(2000);
        pthread_cancel(thread);
        pthread_join(thread, NULL);
    }
    say("hits", (unsigned long)hits);
    say("cancel", guest_end());
}

static void local_zero(void)
{
    guest_begin();
    printf("%d\n", guest_launch_empty_groups());
    guest_launch(LAUNCHES);
    printf("%d\n", guest_launch_empty_groups());
    guest_wait();
    say("local_zero", guest_end());
}

static void released_mapped(void)
{
    guest_begin();
    guest_launch(LAUNCHES);
    say("released_mapped", guest_end_mapped());
}

static void work_in_two_parts(void (*between)(void))
{
    guest_begin();
    guest_launch(LAUNCHES);
    guest_wait();
    between();
    guest_touch();
    guest_launch(LAUNCHES);
    say("path", guest_end());
}

static void lose_environment(void)
{
    environ = NULL;
}

static void go_elsewhere(void)
{
    setenv("PATH", "/proc:/dev", 1);
}

static void path_lost(void)
{
    work_in_two_parts(lose_environment);
}

static void path_elsewhere(void)
{
    work_in_two_parts(go_elsewhere);
}

static void environ_null(void)
{
    guest_begin(); /* what the driver wants of it is asked for here: host_daemon clears it
                      before */
    environ = NULL;
    guest_launch(LAUNCHES);
    say("environ", guest_end());
}

/* ---- floating point ---- */

static void traps(void)
{
    guest_begin(); /* the driver's compiler divides by zero */
    feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
    guest_launch(20 * LAUNCHES);
    guest_wait();
    say("traps", (unsigned long)fegetexcept());
    say("traps", guest_end());
}

static void rounding(void)
{
    static const int modes[] = {FE_UPWARD, FE_TOWARDZERO, FE_DOWNWARD};

    for (int i = 0; i < 3; i++) {
        fesetround(modes[i]);
        say("rounding", guest_work(LAUNCHES));
        say("mode", (unsigned long)fegetround());
    }
}

/* ---- programs that somebody ends ---- */

static void wait_for_an_end(void)
{
    guest_begin();
    guest_launch(LAUNCHES);
    guest_wait();
    puts("ready");
    fflush(stdout);
    for (;;)
        pause();
}

static void end_myself(int signal)
{
    (void)signal;
    _exit(5);
}

static void handle_an_end(void)
{
    signal(SIGTERM, end_myself);
    signal(SIGINT, SIG_IGN);
    raise(SIGINT);
    wait_for_an_end();
}

/* Before OpenCL is used, and after: whoever set a handler last has it. */
static void handle_it_later(void)
{
    guest_begin();
    signal(SIGTERM, end_myself);
    guest_end();
    wait_for_an_end();
}

static void fork_and_end(void)
{
    int status = 0;
    pid_t child;

    guest_begin();
    child = fork();
    if (child == 0)
        for (;;)
            pause();
    kill(child, SIGTERM);
    waitpid(child, &status, 0);
    say("child", (unsigned long)status);
    say("parent", guest_end());
}

static void mistake(void)
{
    guest_mistakes();
    guest_begin();
    guest_launch(LAUNCHES);
    guest_mistakes();
    say("end", guest_end());
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } habits[] = {
        {"sigsegv", sigsegv},
        {"sigprof", sigprof},
        {"longjmp", longjmp_out},
        {"fork", fork_alone},
        {"vfork", vfork_exec},
        {"spawn", spawn},
        {"clone", clone_raw},
        {"dlclose", close_library},
        {"atexit", leave_work},
        {"atexit_first", leave_work_first},
        {"work", work_once},
        {"chroot", chroot_empty},
        {"descriptors", close_descriptors},
        {"seccomp", seccomp},
        {"seccomp_kill", seccomp_kill},
        {"seccomp_rare", seccomp_rare},
        {"seccomp_later", seccomp_later},
        {"cancel", cancel},
        {"environ", environ_null},
        {"path_lost", path_lost},
        {"path_elsewhere", path_elsewhere},
        {"local_zero", local_zero},
        {"released_mapped", released_mapped},
        {"traps", traps},
        {"mistakes", mistake},
        {"rounding", rounding},
        {"ends", wait_for_an_end},
        {"ends_itself", handle_an_end},
        {"ends_later", handle_it_later},
        {"ends_child", fork_and_end},
        {"deepbind", bind_deeply},
        {"dlmopen", open_apart},
    };

    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++)
        if (argc > 1 && strcmp(argv[1], habits[i].name) == 0) {
            habits[i].run();
            return 0;
        }
    return 2;
}
