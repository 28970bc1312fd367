/* SPDX-License-Identifier: MIT */
/* When each step of a sample ended. The steps are enqueued without waiting for one
 * another: their times come from their commands' events, and lie on the host's clock by
 * the end of the last. A program that waits for its steps may use the host's clock
 * instead, on a queue without profiling. */
#include "sample.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

struct command {
    cl_event event; /* NULL: by the host's clock */
    size_t step;
    double queued_s, start_s, end_s; /* on the clock that it is timed by */
};

static struct {
    FILE *file; /* NULL: nobody wants the times */
    bool by_host, has_turn;
    int turn; /* a descriptor, while it has its turn */
    double main_s, stamped_s;
    struct command *commands;
    size_t count, room, step;
} timeline;

double sample_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The time before main is the loader's and that of preloaded libraries. */
__attribute__((constructor)) static void note_main(void)
{
    timeline.main_s = sample_now_s();
}

void sample_timeline_note(const char *what)
{
    if (timeline.file)
        fprintf(timeline.file, "%s %.9f\n", what, sample_now_s());
}

static void note_leaving(void)
{
    sample_timeline_note("leaving");
    fclose(timeline.file);
}

bool sample_timeline_open(const char *file)
{
    timeline.file = fopen(file, "w");
    if (!timeline.file) {
        fprintf(stderr, "--timeline %s: %s\n", file, strerror(errno));
        return false;
    }
    fprintf(timeline.file, "main %.9f\n", timeline.main_s);
    return true;
}

bool sample_timeline_wanted(void)
{
    return timeline.file != NULL && !timeline.by_host;
}

static bool command_add(struct command command)
{
    if (timeline.count == timeline.room) {
        size_t room = timeline.room ? 2 * timeline.room : 1024;
        struct command *grown = realloc(timeline.commands, room * sizeof *grown);
        if (!grown) {
            fputs("out of memory\n", stderr);
            return false;
        }
        timeline.commands = grown;
        timeline.room = room;
    }
    command.step = timeline.step;
    timeline.commands[timeline.count++] = command;
    return true;
}

bool sample_timeline_add(cl_event event)
{
    return command_add((struct command){.event = event});
}

void sample_timeline_by_host(void)
{
    timeline.by_host = true;
}

bool sample_timeline_stamp(void)
{
    double at_s = sample_now_s(), from_s = timeline.stamped_s ? timeline.stamped_s : at_s;
    timeline.stamped_s = at_s;
    return timeline.file == NULL ||
           command_add(
               (struct command){.queued_s = from_s, .start_s = from_s, .end_s = at_s});
}

void sample_timeline_step(void)
{
    timeline.step++;
}

static bool read_times(struct command *command)
{
    const struct {
        cl_profiling_info info;
        double *out;
    } times[] = {{CL_PROFILING_COMMAND_QUEUED, &command->queued_s},
                 {CL_PROFILING_COMMAND_START, &command->start_s},
                 {CL_PROFILING_COMMAND_END, &command->end_s}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        cl_ulong ns = 0;
        if (!sample_cl_ok(clGetEventProfilingInfo(command->event, times[i].info,
                                                  sizeof ns, &ns, NULL),
                          "clGetEventProfilingInfo"))
            return false;
        *times[i].out = 1e-9 * (double)ns;
    }
    return true;
}

static void print_device(const struct sample_cl *cl)
{
    char name[256] = "?", driver[256] = "?";
    clGetDeviceInfo(cl->device, CL_DEVICE_NAME, sizeof name, name, NULL);
    clGetDeviceInfo(cl->device, CL_DRIVER_VERSION, sizeof driver, driver, NULL);
    fprintf(timeline.file, "device %s, driver %s\n", name, driver);
}

/* The commands of an in-order queue: what lies between the end of one, or the time that
 * the next was enqueued where that is later, and the next's end is the next's busy time.
 */
static void print_steps(double offset_s)
{
    double busy_s = 0, kernel_s = 0, before_s = 0;
    for (size_t i = 0; i < timeline.count; i++) {
        const struct command *at = &timeline.commands[i];
        double from_s = at->queued_s > before_s ? at->queued_s : before_s;
        busy_s += at->end_s > from_s ? at->end_s - from_s : 0;
        kernel_s += at->end_s - at->start_s;
        before_s = at->end_s;
        if (i + 1 == timeline.count || timeline.commands[i + 1].step != at->step)
            fprintf(timeline.file, "step %.9f %.9f %.9f\n", at->end_s + offset_s, busy_s,
                    kernel_s);
    }
}

bool sample_timeline_turn(struct sample_cl *cl)
{
    const char *path = getenv("SAMPLE_TURN");
    double asked_s;
    int locked;

    if (!timeline.file || !path || !*path)
        return true;
    if (!sample_cl_ok(clFinish(cl->queue), "clFinish"))
        return false;
    asked_s = sample_now_s();
    timeline.turn = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    timeline.has_turn = timeline.turn >= 0;
    while (timeline.has_turn && (locked = flock(timeline.turn, LOCK_EX)) != 0 &&
           errno == EINTR)
        ;
    if (!timeline.has_turn || locked != 0) {
        fprintf(stderr, "SAMPLE_TURN=%s: %s\n", path, strerror(errno));
        return false;
    }
    fprintf(timeline.file, "waited %.9f\n", sample_now_s() - asked_s);
    return true;
}

static void turn_end(void)
{
    if (timeline.has_turn)
        close(timeline.turn);
    timeline.has_turn = false;
}

bool sample_timeline_finish(struct sample_cl *cl)
{
    double ended_s, last_s = 0;
    bool good = sample_cl_ok(clFinish(cl->queue), "clFinish");
    ended_s = sample_now_s();
    turn_end();
    for (size_t i = 0; i < timeline.count; i++) {
        struct command *at = &timeline.commands[i];
        if (at->event) {
            good = good && read_times(at);
            clReleaseEvent(at->event);
        }
        last_s = at->end_s > last_s ? at->end_s : last_s;
    }
    if (good) {
        print_device(cl);
        print_steps(timeline.by_host ? 0 : ended_s - last_s);
        fprintf(timeline.file, "finished %.9f\n", ended_s);
        /* Registered this late, it is called before what libraries do at the end. */
        good = atexit(note_leaving) == 0;
    }
    free(timeline.commands);
    timeline.commands = NULL;
    timeline.count = timeline.room = timeline.step = 0;
    return good;
}
