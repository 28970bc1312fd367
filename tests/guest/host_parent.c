/* SPDX-License-Identifier: MIT */
/* host_parent COMMAND...: starts the command in each way there is, before, between and
 * after its own OpenCL work. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

static void wait_for(const char *how, pid_t child)
{
    int status = -1;

    if (child > 0)
        waitpid(child, &status, 0);
    printf("%s: %d\n", how, status);
    fflush(stdout);
}

static void start(char **command)
{
    pid_t child;

    fflush(stdout);
    if (posix_spawnp(&child, command[0], NULL, NULL, command, environ) != 0)
        child = -1;
    wait_for("posix_spawn", child);
    child = vfork();
    if (child == 0) {
        execvp(command[0], command);
        _exit(127);
    }
    wait_for("vfork", child);
    child = fork();
    if (child == 0) {
        execvp(command[0], command);
        _exit(127);
    }
    wait_for("fork", child);
    printf("system: %d\n", system(command[0]));
    fflush(stdout);
}

int main(int argc, char **argv)
{
    (void)argc;
    start(argv + 1);
    printf("%lx\n", guest_work(20));
    start(argv + 1);
    printf("%lx\n", guest_work(20));
    return 0;
}
