/* SPDX-License-Identifier: MIT */
/* The doctor: from the machine to the program. */
#include "doctor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "layout/words.h"
#include "finding.h"

void doctor_in_child(const char *about, void (*look)(const struct doctor *doctor),
                     const struct doctor *doctor)
{
    int status = 0;
    pid_t child;

    fflush(NULL);
    child = fork();
    if (child == 0) {
        look(doctor);
        exit(0); /* DL's own report is written then */
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (child < 0)
        finding_print(FINDING_WRONG, about, "can't be looked at: %s", strerror(errno));
    else if (WIFSIGNALED(status))
        finding_print(FINDING_WRONG, about,
                      "crashes (%s) when it is used: reinstall or update it",
                      strsignal(WTERMSIG(status)));
}

char *doctor_begin_report(void)
{
    const char *folder = getenv("TMPDIR");
    char *path = NULL;
    int fd = -1;

    if (asprintf(&path, "%s/dl-report-XXXXXX", folder && *folder ? folder : "/tmp") >= 0)
        fd = mkstemp(path);
    if (fd < 0) {
        finding_print(
            FINDING_WRONG, "report",
            "no file can be made in %s (%s): set TMPDIR to a folder where one can",
            folder && *folder ? folder : "/tmp", strerror(errno));
        free(path);
        return NULL;
    }
    close(fd);
    setenv("DL_REPORT", path, 1);
    return path;
}

/* What a bug report needs besides findings. */
static void print_system(void)
{
    FILE *release = fopen("/etc/os-release", "re");
    char *line = NULL, name[128] = "a distribution that does not say";
    size_t room = 0;
    struct utsname system;

    while (release && getline(&line, &room, release) >= 0)
        sscanf(line, "PRETTY_NAME=\"%127[^\"]", name);
    if (release)
        fclose(release);
    free(line);
    if (uname(&system) == 0)
        finding_print(FINDING_NOTE, "system", "%s, %s %s, %s", name, system.sysname,
                      system.release, system.machine);
    for (char **at = environ; *at; at++)
        if (strncmp(*at, "DL_", 3) == 0)
            finding_print(FINDING_NOTE, "variable", "%s", *at);
}

int doctor_examine(const struct doctor *doctor)
{
    char *next = NULL;
    unsigned wrong;

    (void)finding_wrong_count(); /* before the first child */
    if (doctor->bundle)
        print_system();
    doctor_check_setup(doctor);
    doctor_check_opencl(doctor);
    if (doctor->program)
        next = doctor_check_program(doctor);
    wrong = finding_wrong_count();
    if (wrong == 0)
        puts("Nothing is wrong.");
    else
        printf("%u thing%s wrong.\n", wrong, wrong == 1 ? " is" : "s are");
    if (finding_words_were_said() || (next && dl_words_are_in(next)))
        puts("Words: dl-run --words");
    if (wrong)
        printf("Next: %s\n", finding_first_wrong());
    else if (!doctor->program)
        puts("Next: dl-run --doctor -- PROGRAM looks at a program");
    else
        printf("Next: %s\n", next ? next : "nothing to do");
    free(next);
    return wrong != 0;
}
