/* SPDX-License-Identifier: MIT */
/* ld ARGUMENT...: the machine's linker, in a fifth of the time for what PoCL links: each
 * kernel for each work-group size, a shared object of one file, with five libraries of
 * which it mostly needs nothing. Here they are left out first; where a name is missing
 * then, and for all else that is linked, the machine's `ld` gets what was asked for.
 * `watched` names this one's folder to PoCL's compiler, by COMPILER_PATH. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_MOST = 4096, NOT_RUN = 127 };

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* The first `ld` of PATH that is not this program. */
static bool find_linker(char path[PATH_MOST])
{
    char self[PATH_MOST] = "", found[PATH_MOST], *saved = NULL;
    char *folders = strdup(getenv("PATH") ? getenv("PATH") : "/usr/bin");
    bool is_found = false;

    if (!folders || !realpath("/proc/self/exe", self))
        return false;
    for (char *f = strtok_r(folders, ":", &saved); f && !is_found;
         f = strtok_r(NULL, ":", &saved)) {
        snprintf(path, PATH_MOST, "%s/ld", f);
        is_found =
            access(path, X_OK) == 0 && realpath(path, found) && strcmp(found, self) != 0;
    }
    free(folders);
    return is_found;
}

/* PoCL's: a shared object without the C library's start files. */
static bool is_kernel(int argc, char **argv)
{
    bool is_shared = false, is_own = false;

    for (int i = 1; i < argc; i++) {
        is_shared |= !strcmp(argv[i], "-shared");
        is_own |= strstr(argv[i], "crti") || begins(argv[i], "@");
    }
    return is_shared && !is_own;
}

static bool link_alone(const char *linker, int argc, char **argv)
{
    char **bare = calloc((size_t)argc + 2, sizeof *bare);
    int count = 0, status = 1;
    pid_t child;

    if (!bare)
        return false;
    bare[count++] = argv[0];
    for (int i = 1; i < argc; i++) {
        if (!begins(argv[i], "-l") && !begins(argv[i], "-L"))
            bare[count++] = argv[i];
    }
    bare[count++] = (char[]){"-zdefs"}; /* a name that is missing is an error */
    child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);

        dup2(nowhere, STDERR_FILENO);
        execv(linker, bare);
        _exit(NOT_RUN);
    }
    free(bare);
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

int main(int argc, char **argv)
{
    char linker[PATH_MOST];

    if (!find_linker(linker)) {
        fputs("tests/drivers/linker.c: no ld in PATH\n", stderr);
        return NOT_RUN;
    }
    if (is_kernel(argc, argv) && link_alone(linker, argc, argv))
        return EXIT_SUCCESS;
    execv(linker, argv);
    return NOT_RUN;
}
