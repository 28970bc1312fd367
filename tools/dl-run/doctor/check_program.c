/* SPDX-License-Identifier: MIT */
/* The program: its file, then a run of it with a report. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doctor.h"
#include "finding.h"
#include "program.h"
#include "report.h"

/* False: there is nothing to run. */
static bool check_file(const struct doctor *doctor, bool *obstructed)
{
    const char *name = doctor->program[0], *obstacle;
    struct program program;

    *obstructed = false;
    if (!program_look(name, &program)) {
        finding_print(FINDING_WRONG, "program", "%s can't be run: %s", name,
                      strerror(errno));
        return false;
    }
    if (*program.script)
        finding_print(FINDING_NOTE, "program", "%s is a script, run by %s",
                      program.script, program.path);
    obstacle = program_obstacle(&program, doctor->layer);
    *obstructed = obstacle != NULL;
    if (obstacle)
        finding_print(FINDING_WRONG, "program", "%s %s", program.path, obstacle);
    else
        finding_print(FINDING_GOOD, "program", "%s is %s%s", program.path,
                      !program.is_elf ? "of a kind that DL does not know"
                      : program.is_static
                          ? "statically linked, so only the layer reaches it"
                          : "dynamically linked",
                      program.needs_opencl ? ", with OpenCL" : "");
    return true;
}

/* The wait status; -1: it was not run, which was said. */
static int run(const struct doctor *doctor)
{
    void (*interrupt)(int) = signal(SIGINT, SIG_IGN);
    void (*quit)(int) = signal(SIGQUIT, SIG_IGN);
    int status = -1;
    pid_t child;

    fflush(NULL);
    child = fork();
    if (child == 0) {
        signal(SIGINT, interrupt);
        signal(SIGQUIT, quit);
        /* What DL says is told below. */
        if (!doctor->logs)
            setenv("DL_LOG", "quiet", 1);
        if (doctor->bundle && !freopen("/dev/null", "w", stdout))
            _exit(127);
        if (doctor->bundle)
            dup2(STDOUT_FILENO, STDERR_FILENO);
        execvp(doctor->program[0], doctor->program);
        fprintf(stderr, "dl-run: %s: %s\n", doctor->program[0], strerror(errno));
        _exit(127);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (child < 0)
        finding_print(FINDING_WRONG, "program", "can't be started: %s", strerror(errno));
    signal(SIGINT, interrupt);
    signal(SIGQUIT, quit);
    return child < 0 ? -1 : status;
}

char *doctor_check_program(const struct doctor *doctor)
{
    char *next = NULL;
    bool obstructed;
    char *report;
    int status;

    if (!check_file(doctor, &obstructed))
        return NULL;
    report = doctor_begin_report();
    if (!report)
        return NULL;
    status = run(doctor);
    if (status != -1 && WIFSIGNALED(status))
        finding_print(FINDING_WRONG, "run",
                      "the program was ended by a signal (%s): does it run without DL?",
                      strsignal(WTERMSIG(status)));
    else if (status != -1 && WEXITSTATUS(status) != 0)
        finding_print(FINDING_NOTE, "run", "the program ended with exit code %d",
                      WEXITSTATUS(status));
    if (status != -1)
        next = report_explain(report, doctor->layer, obstructed, doctor->bundle);
    unlink(report);
    free(report);
    return next;
}
