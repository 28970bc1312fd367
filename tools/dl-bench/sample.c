/* SPDX-License-Identifier: MIT */
#include "tools/dl-bench/sample.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE_BYTES = 512 };

bool sample_folder(char folder[PATH_MAX])
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

static void line_read(const char *line, struct sample_said *said)
{
    if (sscanf(line, "checksum: %llx", &said->checksum) == 1)
        said->has_checksum = true;
    sscanf(line, "time_s: %lf", &said->time_s);
    sscanf(line, "device_s: %lf", &said->device_s);
    sscanf(line, "halo_s: %lf", &said->halo_s);
}

bool sample_run(const char *const *argv, struct sample_said *said)
{
    int ends[2], status = 0;
    char line[LINE_BYTES];
    FILE *in;
    pid_t pid;

    *said = (struct sample_said){0};
    fflush(NULL);
    if (pipe(ends) != 0 || (pid = fork()) < 0) {
        perror("dl-bench");
        return false;
    }
    if (pid == 0) {
        close(ends[0]);
        dup2(ends[1], 1);
        execv(argv[0], (char **)argv);
        perror(argv[0]);
        _exit(127);
    }
    close(ends[1]);
    in = fdopen(ends[0], "r");
    while (in && fgets(line, sizeof line, in))
        line_read(line, said);
    if (in)
        fclose(in);
    waitpid(pid, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 && said->has_checksum &&
           said->time_s > 0;
}

bool sample_next_word(const char **list, char *word, size_t bytes)
{
    size_t length = strcspn(*list, ",");

    snprintf(word, bytes, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
    return *word != '\0';
}
