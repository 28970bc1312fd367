/* SPDX-License-Identifier: MIT */
/* host_daemon clearenv|environ|unset|gone|reused|closed|moved: what daemons do before
 * they use OpenCL, to their environment, their folder or their standard files. Prints the
 * work's hash on the descriptor that was 1. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "work.h"

/* What the driver needs stays. */
static void clear(int all)
{
    static const char *const names[] = {"PATH", "POCL_CACHE_DIR", "OCL_ICD_VENDORS",
                                        "HWLOC_SYNTHETIC", "HWLOC_THISSYSTEM"};
    enum { COUNT = sizeof names / sizeof *names };
    char *values[COUNT];

    for (int i = 0; i < COUNT; i++)
        values[i] = getenv(names[i]) ? strdup(getenv(names[i])) : NULL;
    if (all)
        environ = NULL;
    else
        clearenv();
    for (int i = 0; i < COUNT; i++)
        if (values[i])
            setenv(names[i], values[i], 1);
}

/* Opens the program's own data where standard error was. */
static void reuse(void)
{
    int file;

    close(2);
    file = open("data.bin", O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file != 2 || write(file, "DATA", 4) != 4)
        _exit(3);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    int out = fcntl(1, F_DUPFD, 50);

    if (strcmp(mode, "clearenv") == 0 || strcmp(mode, "environ") == 0) {
        clear(strcmp(mode, "environ") == 0);
    } else if (strcmp(mode, "unset") == 0) {
        unsetenv("DL_LAYOUT");
        unsetenv("DL_STATS");
        setenv("DL_TILE", "64", 1);
    } else if (strcmp(mode, "gone") == 0) {
        if (mkdir("gone", 0700) != 0 || chdir("gone") != 0 || rmdir("../gone") != 0)
            return 3;
        umask(0777);
    } else if (strcmp(mode, "reused") == 0) {
        reuse();
    } else if (strcmp(mode, "closed") == 0) {
        for (int fd = 0; fd < 3; fd++)
            close(fd);
    } else if (strcmp(mode, "moved") == 0) {
        dup2(2, 60);
        reuse();
        dprintf(out, "%lx\n", guest_work(20));
        dup2(60, 2); /* standard error as it was */
    }
    dprintf(out, "%lx\n", guest_work(20));
    return 0;
}
