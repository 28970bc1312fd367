/* SPDX-License-Identifier: MIT */
/* Lanes of the trace: a process for each device, in it a lane for each queue. And how the
 * devices' clocks stand to the host's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inner.h"
#include "libdl_intercept/base/next.h"

enum {
    LANES_MAX = 1024,      /* queues beyond share the last lane */
    BESIDES = 32,          /* lanes of one queue, for commands that overlap */
    PROCESS_IDS = 1 << 22, /* Linux has no more */
    CLOCK_TRIES = 5,
    CLOCK_SLACK_NS = 1000 * 1000,
    DRIFT_NS = 50 * 1000
};

struct device {
    struct device *next;
    cl_device_id id;
    int process;      /* its number in the trace */
    bool known;       /* how its clock stands to the host's: */
    int64_t ahead_ns; /* of it */
    bool met;         /* commands have shown that it is at least, at most: */
    int64_t least_ns, most_ns;
};

struct lane {
    cl_command_queue queue;
    struct device *device;
    bool own; /* all queues of DL's own on the device */
    unsigned number;
    uint64_t busy_until_ns[BESIDES]; /* 0: nothing there yet */
};

static struct lane *lanes[LANES_MAX] DL__GUARDED_BY(dl__trace_lock);
static unsigned lane_count DL__GUARDED_BY(dl__trace_lock);
static struct device *devices DL__GUARDED_BY(dl__trace_lock);
static unsigned device_count DL__GUARDED_BY(dl__trace_lock);

/* ---- devices and queues ---- */

static DL__REQUIRES(dl__trace_lock) struct device *device_of(cl_device_id id)
{
    char name[128] = "", title[160];
    struct device *device = devices;

    while (device && device->id != id)
        device = device->next;
    if (device)
        return device;
    device = calloc(1, sizeof *device);
    if (!device)
        return NULL;
    device->id = id;
    device->next = devices;
    devices = device;
    device->process = (int)(++device_count % 500) * PROCESS_IDS + getpid();
    dl__next.clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    snprintf(title, sizeof title, "device %u: %s", device_count, name);
    dl__trace_write_label("process_name", "name", device->process, 0, title);
    return device;
}

static DL__REQUIRES(dl__trace_lock) unsigned lane_make(cl_command_queue queue,
                                                       cl_device_id id, bool own)
{
    struct device *device = device_of(id);
    struct lane *lane = NULL;
    unsigned number = 1;

    /* A handle that comes again on another device is another queue's; one of DL's own
     * goes at once. */
    for (unsigned i = 0; i < lane_count; i++)
        if (lanes[i]->queue == queue &&
            (lanes[i]->device != device || lanes[i]->own != own))
            lanes[i]->queue = NULL;
    for (unsigned i = 0; i < lane_count; i++) {
        number += lanes[i]->device == device && !lanes[i]->own;
        if (lanes[i]->device == device && lanes[i]->own == own &&
            (own || lanes[i]->queue == queue)) {
            lanes[i]->queue = queue;
            return i;
        }
    }
    if (device && lane_count < LANES_MAX)
        lane = calloc(1, sizeof *lane);
    if (!lane)
        return lane_count ? lane_count - 1 : DL__TRACE_NO_LANE;
    *lane = (struct lane){
        .queue = queue, .device = device, .own = own, .number = own ? 0 : number};
    lanes[lane_count] = lane;
    return lane_count++;
}

unsigned dl__trace_lane_of(cl_command_queue queue)
{
    cl_device_id device = NULL;

    for (unsigned i = 0; i < lane_count; i++)
        if (lanes[i]->queue == queue)
            return i;
    dl__next.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    return lane_make(queue, device, false);
}

void dl__trace_queue(cl_command_queue queue, cl_device_id device, bool own)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    if (!dl__trace_is_on() || !queue)
        return;
    pthread_once(&once, dl__trace_end_at_exit);
    dl__mutex_lock(&dl__trace_lock);
    lane_make(queue, device, own);
    dl__mutex_unlock(&dl__trace_lock);
}

/* ---- clocks ---- */

static DL__REQUIRES(dl__trace_lock) void say_clock(const struct device *device,
                                                   const char *how)
{
    char text[128];

    snprintf(text, sizeof text, "on the host's clock by %s", how);
    dl__trace_write_label("process_labels", "labels", device->process, 0, text);
}

/* The driver's word for it: the closest of a few readings between two of the host's.
 * False: it has none. */
static bool ask_driver(cl_device_id device, int64_t *ahead_ns)
{
    uint64_t closest = UINT64_MAX;

    for (int i = 0; i < CLOCK_TRIES && dl__next.clGetDeviceAndHostTimer; i++) {
        cl_ulong device_ns = 0, host_ns = 0;
        uint64_t before = dl__trace_clock_ns(), after;

        if (dl__next.clGetDeviceAndHostTimer(device, &device_ns, &host_ns) !=
                CL_SUCCESS ||
            device_ns == 0)
            return false;
        after = dl__trace_clock_ns();
        if (after - before < closest) {
            closest = after - before;
            *ahead_ns = (int64_t)device_ns - (int64_t)(before + (after - before) / 2);
        }
    }
    return closest != UINT64_MAX;
}

/* A timer that does not put a command behind its call is not the one of its events. */
static bool agrees(const struct device *device, int64_t ahead_ns)
{
    return ahead_ns < device->most_ns + CLOCK_SLACK_NS &&
           ahead_ns > device->least_ns - CLOCK_SLACK_NS;
}

/* Clocks drift apart: one that a command shows to be off goes to where it is not. */
static void keep_up(struct device *device, int64_t least_ns, int64_t most_ns)
{
    if (device->ahead_ns > most_ns + DRIFT_NS)
        device->ahead_ns = most_ns;
    if (device->ahead_ns < least_ns - DRIFT_NS)
        device->ahead_ns = least_ns;
}

void dl__trace_clock_learn(unsigned number, const struct dl__trace_times *times,
                           uint64_t before_ns)
{
    struct device *device = lanes[number]->device;
    cl_ulong early = times->queued ? times->queued : times->start;
    int64_t least = (int64_t)times->end - (int64_t)dl__trace_clock_ns();
    int64_t most = (int64_t)early - (int64_t)before_ns;

    if (before_ns == 0)
        most = INT64_MAX / 2;
    if (device->known) {
        keep_up(device, least, most);
        return;
    }
    if (!device->met || least > device->least_ns)
        device->least_ns = least;
    if (!device->met || most < device->most_ns)
        device->most_ns = most;
    device->met = true;
}

/* What DL calls the driver with comes right before it notes the command. */
static DL__REQUIRES(dl__trace_lock) void decide_clock(struct device *device)
{
    int64_t ahead_ns;

    device->known = true;
    if (ask_driver(device->id, &ahead_ns) && agrees(device, ahead_ns)) {
        device->ahead_ns = ahead_ns;
        say_clock(device, "clGetDeviceAndHostTimer");
        return;
    }
    device->ahead_ns =
        device->most_ns > device->least_ns ? device->most_ns : device->least_ns;
    if (device->most_ns == INT64_MAX / 2)
        device->ahead_ns = device->least_ns;
    say_clock(device, "when the first commands were queued");
}

uint64_t dl__trace_clock_map(unsigned number, cl_ulong device_ns)
{
    struct device *device = lanes[number]->device;

    if (!device->known)
        decide_clock(device);
    return (uint64_t)((int64_t)device_ns - device->ahead_ns);
}

/* ---- slices ---- */

void dl__trace_lane_place(unsigned number, struct dl__trace_slice *slice)
{
    struct lane *lane = lanes[number];
    unsigned beside = 0;
    char title[64];

    while (beside < BESIDES - 1 && lane->busy_until_ns[beside] > slice->start_ns)
        beside++;
    slice->process = lane->device->process;
    slice->lane = (int)((number + 1) * BESIDES + beside);
    if (lane->busy_until_ns[beside] == 0) {
        snprintf(title, sizeof title, lane->own ? "DL's own queues" : "queue %u",
                 lane->number);
        if (beside)
            snprintf(title + strlen(title), sizeof title - strlen(title),
                     ", at the same time (%u)", beside);
        dl__trace_write_label("thread_name", "name", slice->process, slice->lane, title);
    }
    if (slice->end_ns > lane->busy_until_ns[beside])
        lane->busy_until_ns[beside] = slice->end_ns;
}
