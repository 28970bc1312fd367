/* SPDX-License-Identifier: MIT */
/* Limits of the program, and other processes, as /proc has them. */
#include "processes.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

bool dl__processes_are_left(void)
{
    enum { LIMITS_MAX = 32768, LEFT_FOR_THE_PROGRAM = 64 };
    long wanted = LEFT_FOR_THE_PROGRAM + 2 * sysconf(_SC_NPROCESSORS_ONLN);
    char task[sizeof((struct dirent *)0)->d_name + sizeof "/task"];
    struct dirent *entry;
    struct rlimit limit;
    struct stat tasks;
    DIR *processes;

    if (getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_cur > LIMITS_MAX)
        return true;
    processes = opendir("/proc");
    while (processes && (entry = readdir(processes))) {
        snprintf(task, sizeof task, "%s/task", entry->d_name);
        /* It has a link for each thread, and two more. */
        if (*task > '0' && *task <= '9' &&
            fstatat(dirfd(processes), task, &tasks, 0) == 0 && tasks.st_uid == getuid())
            wanted += (long)tasks.st_nlink - 2;
    }
    if (processes)
        closedir(processes);
    return limit.rlim_cur >= (rlim_t)wanted;
}

char dl__process_state(long process)
{
    char path[32], text[128], state = 0;
    const char *name_end;
    FILE *file;
    size_t bytes;

    snprintf(path, sizeof path, "/proc/%ld/stat", process);
    file = fopen(path, "re");
    if (!file)
        return 0;
    bytes = fread(text, 1, sizeof text - 1, file);
    text[bytes] = '\0';
    name_end = strrchr(text, ')');
    if (name_end && name_end[1] == ' ')
        state = name_end[2];
    fclose(file);
    return state;
}

bool dl__descriptors_are_left(void)
{
    /* A linker has some ten files open, a driver's own threads and the program others. */
    enum { WANTED = 32 };
    struct rlimit limit;
    int free = 0;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return true;
    for (rlim_t number = 0; number < limit.rlim_cur && free < WANTED; number++)
        free += fcntl((int)number, F_GETFD) < 0;
    return free == WANTED;
}
