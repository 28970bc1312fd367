/* SPDX-License-Identifier: MIT */
/* Linked around DL's launches (-Wl,--wrap): those that DL_EXPLORED names by number, from
 * 1, among those of kernels with notes, are explored on copies, or compared on the
 * program's buffers, whatever the policy would have; others go DL's way.
 *
 *   DL_EXPLORED=explore:2,compare:3
 *   DL_EXPLORED_LOG=FILE  a line for each: "2 explore fake_step EQUAL 0" (the argument
 *                         that differs), or "2 explore fake_step no: why"
 *   DL_EXPLORED_SPOIL=N   a rewritten kernel on copies gives another first byte of the
 *                         buffer that argument N names
 *   DL_EXPLORED_UNBUILT=1 texts are waited for, and kernels that convert are being built
 *                         for ever, where nobody waits for these
 *   DL_EXPLORED_HOLD=MS   instead, queues are held back as if each launch took so long:
 *                         "3 hold 4", the third waited for an earlier one, and would have
 *                         for 4 ms at most
 *   DL_EXPLORED_CLOCK=S   instead, all launches go DL's way, by a clock that moves on by
 *                         S seconds with each and stands still meanwhile, and what is
 *                         read or built for them is waited for: "3 compared 7", among
 *                         those that are compared on the program's buffers this was the
 *                         third, and launch 7 of all */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "libdl_intercept/launches/compare.h"
#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/launches/copies.h"
#include "libdl_intercept/launches/explore.h"
#include "libdl_intercept/launches/launch.h"
#include "libdl_intercept/policy/policy.h"
#include "libdl_intercept/programs/shadow.h"
#include "libdl_intercept/programs/unit.h"
#include "libdl_intercept/state/contexts.h"

static const double limit_seconds = 0.2;

__typeof__(dl__launch) __real_dl__launch, __wrap_dl__launch;

/* True when the list has the launch for this. */
static bool is_for(const char *what, unsigned number)
{
    const char *at = getenv("DL_EXPLORED");
    char word[32];
    unsigned named;
    int used;

    for (; at && sscanf(at, "%31[^:]:%u%n", word, &named, &used) == 2;
         at += used + (at[used] == ','))
        if (named == number && strcmp(word, what) == 0)
            return true;
    return false;
}

static FILE *open_log(void)
{
    const char *path = getenv("DL_EXPLORED_LOG");

    return path ? fopen(path, "a") : NULL;
}

static void say(unsigned number, const char *what, const char *kernel,
                enum dl__verdict_of_copies verdict, unsigned argument, const char *why)
{
    static const char *const names[] = {"EQUAL", "DIFFERS", "UNJUDGED", "NOT_EXPLORED"};
    FILE *file = open_log();

    if (!file)
        return;
    if (verdict == DL__NOT_EXPLORED)
        fprintf(file, "%u %s %s no: %s\n", number, what, kernel, why ? why : "");
    else
        fprintf(file, "%u %s %s %s %u\n", number, what, kernel, names[verdict], argument);
    fclose(file);
}

static cl_int explore(unsigned number, struct dl__queue *queue, struct dl__kernel *kernel,
                      cl_kernel handle, struct dl__ndrange *range)
{
    struct dl__explored tried = {.candidate = DL__ASTA, .verdict = DL__NOT_EXPLORED};
    double spent_seconds;
    cl_int err;

    if (!dl__explore_launch(handle, range, &tried, 1, &spent_seconds, &err))
        err = __real_dl__launch(queue, kernel, handle, range);
    say(number, "explore", kernel->name, tried.verdict, tried.argument, tried.why);
    return err;
}

static cl_int compare(unsigned number, struct dl__queue *queue, struct dl__kernel *kernel,
                      cl_kernel handle, struct dl__ndrange *range)
{
    const char *why;
    struct dl__copies *begun = dl__compare_begin(range, &why);
    struct dl__compared compared;
    cl_int err = __real_dl__launch(queue, kernel, handle, range);

    dl__compare_end(begun, err, &compared);
    say(number, "compare", kernel->name, compared.verdict, compared.argument, why);
    return err;
}

__typeof__(dl__copies_run) __real_dl__copies_run, __wrap_dl__copies_run;
cl_int __wrap_dl__copies_run(struct dl__copies *copies, struct dl__shadow_kernel *shadow,
                             enum dl__copy which, double *seconds)
{
    const char *spoil = getenv("DL_EXPLORED_SPOIL");
    cl_int err = __real_dl__copies_run(copies, shadow, which, seconds);
    unsigned char byte;

    for (size_t i = 0; i < copies->count && spoil && shadow && err == CL_SUCCESS; i++) {
        cl_mem mem = copies->list[i].of[which];

        if ((int)copies->list[i].arg_index != atoi(spoil))
            continue;
        err = dl__next.clEnqueueReadBuffer(copies->own.object.handle, mem, CL_TRUE, 0, 1,
                                           &byte, 0, NULL, NULL);
        byte ^= 1;
        if (err == CL_SUCCESS)
            err = dl__next.clEnqueueWriteBuffer(copies->own.object.handle, mem, CL_TRUE,
                                                0, 1, &byte, 0, NULL, NULL);
    }
    return err;
}

/* The longest that the thread may have waited for an event. */
static _Thread_local double asked_seconds;

__typeof__(dl__event_ends_within) __real_dl__event_ends_within,
    __wrap_dl__event_ends_within;
bool __wrap_dl__event_ends_within(cl_event event, double seconds)
{
    asked_seconds = seconds;
    return __real_dl__event_ends_within(event, seconds);
}

static cl_int hold(unsigned number, struct dl__queue *queue, struct dl__kernel *kernel,
                   cl_kernel handle, struct dl__ndrange *range)
{
    double launch_seconds = 1e-3 * atof(getenv("DL_EXPLORED_HOLD"));
    FILE *file;
    cl_int err;

    asked_seconds = 0;
    err = __real_dl__launch(queue, kernel, handle, range);
    if (asked_seconds > 0) {
        file = open_log();
        if (file) {
            fprintf(file, "%u hold %.0f\n", number, 1e3 * asked_seconds);
            fclose(file);
        }
    }
    dl__context_lock(queue->object.context);
    dl__hold_note(queue, kernel, launch_seconds);
    atomic_store(&kernel->launched.held, DL__HELD);
    dl__context_unlock(queue->object.context);
    return err;
}

/* ---- DL_EXPLORED_CLOCK ---- */

static double clock_moved;
static unsigned clock_launches;

__typeof__(clock_gettime) __real_clock_gettime, __wrap_clock_gettime;
int __wrap_clock_gettime(clockid_t id, struct timespec *now)
{
    if (id != CLOCK_MONOTONIC || !getenv("DL_EXPLORED_CLOCK"))
        return __real_clock_gettime(id, now);
    now->tv_sec = 1000 + (time_t)clock_moved;
    now->tv_nsec = (long)((clock_moved - (double)(time_t)clock_moved) * 1e9);
    return 0;
}

__typeof__(dl__unit_annotate) __real_dl__unit_annotate, __wrap_dl__unit_annotate;
bool __wrap_dl__unit_annotate(struct dl__unit *unit, struct dl__context *context,
                              cl_device_id device, bool wait)
{
    return __real_dl__unit_annotate(unit, context, device,
                                    wait || getenv("DL_EXPLORED_CLOCK"));
}

/* Asks until it is there, where the launches are to be the same ones each time. */
#define ASK_UNTIL_READY(ask)                                                             \
    enum dl__ready ready;                                                                \
    while ((ready = ask) == DL__BUILDING &&                                              \
           (getenv("DL_EXPLORED_CLOCK") || getenv("DL_EXPLORED_UNBUILT")))               \
        usleep(1000);                                                                    \
    return ready

__typeof__(dl__shadow_ask) __real_dl__shadow_ask, __wrap_dl__shadow_ask;
enum dl__ready __wrap_dl__shadow_ask(const struct dl__kernel *kernel, cl_device_id device,
                                     struct dl__shadow_knobs *knobs)
{
    ASK_UNTIL_READY(__real_dl__shadow_ask(kernel, device, knobs));
}

__typeof__(dl__move_ask) __real_dl__move_ask, __wrap_dl__move_ask;
enum dl__ready __wrap_dl__move_ask(const struct dl__move *move, struct dl__queue *queue)
{
    if (getenv("DL_EXPLORED_UNBUILT"))
        return DL__BUILDING;
    ASK_UNTIL_READY(__real_dl__move_ask(move, queue));
}

__typeof__(dl__compare_begin) __real_dl__compare_begin, __wrap_dl__compare_begin;
struct dl__copies *__wrap_dl__compare_begin(const struct dl__ndrange *range,
                                            const char **why)
{
    static unsigned compared;
    struct dl__copies *begun = __real_dl__compare_begin(range, why);
    FILE *file = getenv("DL_EXPLORED_CLOCK") ? open_log() : NULL;

    if (begun && file)
        fprintf(file, "%u compared %u\n", ++compared, clock_launches);
    if (file)
        fclose(file);
    return begun;
}

cl_int __wrap_dl__launch(struct dl__queue *queue, struct dl__kernel *kernel,
                         cl_kernel handle, struct dl__ndrange *range)
{
    static unsigned numbers;
    struct dl__context *context = queue->object.context;
    struct dl__choice choice = {0};
    struct dl__mem **mems;
    unsigned number;
    bool explores;
    cl_int err;

    if (!kernel || !kernel->note)
        return __real_dl__launch(queue, kernel, handle, range);
    number = ++numbers;
    if (getenv("DL_EXPLORED_CLOCK")) {
        clock_launches = number;
        clock_moved += atof(getenv("DL_EXPLORED_CLOCK"));
        return __real_dl__launch(queue, kernel, handle, range);
    }
    if (getenv("DL_EXPLORED_HOLD"))
        return hold(number, queue, kernel, handle, range);
    explores = is_for("explore", number);
    if (!explores && !is_for("compare", number))
        return __real_dl__launch(queue, kernel, handle, range);
    range->waited = dl__explore_wait(queue, range, limit_seconds);
    dl__context_lock(context);
    mems = calloc(kernel->arg_count, sizeof(struct dl__mem *));
    dl__arg_mems(kernel, mems);
    range->queue = queue;
    range->kernel = kernel;
    range->mems = mems;
    range->choice = &choice;
    err = (explores ? explore : compare)(number, queue, kernel, handle, range);
    dl__choice_end(&choice);
    dl__context_unlock(context);
    free(mems);
    return err;
}
