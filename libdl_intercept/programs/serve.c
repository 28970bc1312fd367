/* SPDX-License-Identifier: MIT */
/* The builder's own side of a board: what it does for each job. */
#include "shadow.h"

#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "libdl_intercept/base/locks.h"
#include "libdl_intercept/state/contexts.h"
#include "board.h"
#include "cache.h"
#include "devices.h"
#include "serve.h"
#include "unit.h"

enum {
    LOWEST_PRIORITY = 19,
    HOLD_MS_MAX = 60000,
    LOOK_MILLISECONDS = 100, /* how often it looks whether the program is still there */
    IDLE_LOOKS_MAX = 30,     /* with nothing to do, before it leaves */
    AFTER_JOBS_MAX = 8       /* that it does still when the program has ended */
};

static struct dl__mutex telling = DL__MUTEX_INITIALIZER;
static struct dl__board *board;
static const unsigned char *jobs;
static struct dl__window window DL__GUARDED_BY(telling); /* on what is kept */
static atomic_bool over;       /* there is nothing to be done any more but what is owed */
static atomic_uint idle_looks; /* of all */
static atomic_uint busy;       /* lanes with a job */
static atomic_uint after;      /* jobs that were done since it was over */
static bool owes;

static bool job_is_waited(void)
{
    unsigned posted = atomic_load(&board->posted);

    for (unsigned j = 0; j < posted; j++)
        if (atomic_load(&board->list[j].waited) && !atomic_load(&board->list[j].done))
            return true;
    return false;
}

/* Of each text that was read, if kernels of it were found: for the rest of its job. */
static _Atomic(struct dl__unit *) read_units[DL__BOARD_JOBS_MAX];

/* In any text so far. */
static atomic_bool kernels_found;

static struct dl_marshal *marshal_of(struct dl__context *context, cl_device_id id)
{
    struct dl_marshal *marshal;
    struct dl__device *device;

    dl__context_lock(context);
    device = dl__context_device(context, id);
    marshal = device ? dl__device_marshal(context, device) : NULL;
    dl__context_unlock(context);
    return marshal;
}

static void do_kernels(struct dl__unpack *job, struct dl__context *context,
                       cl_device_id id)
{
    enum { TEXTS_MAX = 16 };
    uint64_t count = dl__unpack_number(job);
    struct dl_marshal *marshal = marshal_of(context, id);
    const char *texts[TEXTS_MAX];

    for (uint64_t t = 0; t < count && t < TEXTS_MAX; t++)
        texts[t] = dl__unpack_text(job);
    if (!job->failed && count <= TEXTS_MAX && marshal)
        dl_marshal_build(marshal, count, texts);
}

/* The move of a job, whose leaves the caller frees. */
static bool unpack_move(struct dl__unpack *job, struct dl__move_wanted *out)
{
    size_t bytes, leaf_bytes;
    const unsigned char *wanted = dl__unpack_bytes(job, &bytes),
                        *leaves = dl__unpack_bytes(job, &leaf_bytes);

    if (!wanted || !leaves || bytes != sizeof *out)
        return false;
    memcpy(out, wanted, bytes);
    out->leaves.leaves = malloc(leaf_bytes + 1);
    if (out->leaves.leaves)
        memcpy(out->leaves.leaves, leaves, leaf_bytes);
    return out->leaves.leaves != NULL;
}

/* Prepares the kernels that look at whole structs and at odd bytes. */
static void prepare_looks(struct dl_marshal *marshal, const struct dl__move_wanted *move)
{
    const size_t widths[] = {move->leaves.struct_bytes, 1};
    const struct dl_part *part;

    for (size_t w = 0; w < 2; w++)
        dl_marshal_part_prepare(
            marshal, &move->leaves, move->bytes, move->layout,
            &(struct dl_part_box){.width_bytes = widths[w], .height = 1, .depth = 1},
            false, &part);
}

/* Of two builders that are to build the same conversions, the second waits for the first,
 * and finds what that has kept. */
static void hold_move(const struct dl__move_wanted *move, bool rest,
                      struct dl__hold *hold)
{
    struct dl__pack key;

    if (!dl__cache_key_begin(&key, "move", move->device))
        key.failed = true;
    dl__pack_number(&key, rest);
    dl__pack_number(&key, move->structs);
    dl__pack_number(&key, move->layout.kind);
    dl__pack_number(&key, move->layout.tile_structs);
    dl__pack_number(&key, move->leaves.struct_bytes);
    dl__pack_bytes(&key, move->leaves.leaves,
                   move->leaves.leaf_count * sizeof *move->leaves.leaves);
    dl__cache_hold(&key, HOLD_MS_MAX, job_is_waited, hold);
    dl__pack_free(&key);
}

/* Prepares conversions there and back. The `rest` of that is looks: this comes last,
 * since a program that waits for a launch may never look at parts, or waits then. True:
 * it is left. */
static bool do_move(struct dl__unpack *job, struct dl__context *context, cl_device_id id,
                    bool waited, bool rest)
{
    const struct dl_layout aos = {.kind = DL_LAYOUT_AOS};
    struct dl_marshal *marshal = marshal_of(context, id);
    const struct dl_conversion *conversion;
    struct dl__hold hold = {.fd = -1};
    struct dl__move_wanted move;

    if (!marshal || !unpack_move(job, &move))
        return false;
    move.device = id;
    if (!waited)
        hold_move(&move, rest, &hold);
    /* On a GPU those for any shape stand in until the shape's own are there, which are
     * waited for; on a CPU the host does. */
    if (!rest && !waited && dl__device_is_gpu(id))
        dl_marshal_prepare_any(marshal);
    if (rest) {
        prepare_looks(marshal, &move);
    } else {
        dl_marshal_prepare(marshal, &move.leaves, move.structs, aos, move.layout,
                           &conversion);
        dl_marshal_prepare(marshal, &move.leaves, move.structs, move.layout, aos,
                           &conversion);
    }
    dl__store_let_go(&hold);
    dl_leaf_table_free(&move.leaves);
    return !waited && !rest;
}

static void (*expect_by)(struct dl__kernel *kernel);

void dl__jobs_expect_by(void (*expect)(struct dl__kernel *kernel))
{
    expect_by = expect;
}

/* Reads the rewritten program of a job; NULL: the job is damaged, or there is no
 * memory. */
static struct dl__rewrite *read_rewrite(struct dl__unpack *job,
                                        struct dl__context *context, cl_device_id device)
{
    struct dl__rewrite *rewrite = dl__rewrite_unpack(job, &device, 1);

    if (rewrite)
        dl__rewrite_settle(rewrite, context);
    return rewrite;
}

static DL__WITH_LOCK void expect(struct dl__rewrite *rewrite, struct dl__context *context,
                                 const char *name)
{
    struct dl__program program = {.object = {.context = context}, .rewrite = rewrite};
    struct dl__kernel kernel = {.object = {.context = context},
                                .program = &program,
                                .rewrite = rewrite,
                                .name = (char *)name};

    kernel.note = dl__rewrite_find(rewrite, name);
    if (kernel.note && expect_by)
        expect_by(&kernel);
}

static DL__UNCHECKED void do_expect(struct dl__unpack *job, struct dl__context *context,
                                    cl_device_id device)
{
    const char *name = dl__unpack_text(job);
    struct dl__rewrite *rewrite = read_rewrite(job, context, device);

    if (!rewrite)
        return;
    dl__context_lock(context);
    if (name)
        expect(rewrite, context, name);
    dl__rewrite_release(rewrite, context);
    dl__context_unlock(context);
}

/* While the program builds its own text, a CPU's compiler keeps one core busy. Another
 * builds what the first kernels will most likely need. Takes the unit over. */
static DL__UNCHECKED void expect_first(struct dl__unit *unit, struct dl__context *context,
                                       cl_device_id device)
{
    enum { KERNELS_MAX = 8 };
    static unsigned expected; /* of all texts */
    struct dl__rewrite *rewrite = dl__rewrite_make(&unit, 1, false, NULL, &device, 1);

    if (rewrite)
        dl__rewrite_settle(rewrite, context);
    dl__context_lock(context);
    for (size_t k = 0; rewrite && unit->notes && k < unit->notes->kernel_count; k++)
        if (unit->notes->kernels[k].buffer_count && expected++ < KERNELS_MAX)
            expect(rewrite, context, unit->notes->kernels[k].name);
    dl__rewrite_release(rewrite, context);
    dl__context_unlock(context);
    dl__unit_release(unit);
}

static void do_shadow(struct dl__unpack *job, struct dl__context *context,
                      cl_device_id device, bool first, bool waited)
{
    size_t bytes;
    const unsigned char *packed = dl__unpack_bytes(job, &bytes);
    const char *only = dl__unpack_text(job);
    struct dl__rewrite *rewrite = read_rewrite(job, context, device);
    struct dl__shadow_knobs knobs;
    /* Of a layout that is asked for only what nobody annotated is compared. */
    bool compared = !waited && !first;
    struct dl_marshal *marshal;

    if (!rewrite || bytes != sizeof knobs)
        return;
    memcpy(&knobs, packed, sizeof knobs);
    knobs.only = only;
    for (size_t u = 0; u < rewrite->unit_count; u++)
        compared = compared || rewrite->units[u]->detected;
    dl__context_lock(context);
    dl__shadow_prepare(rewrite, context, device, &knobs, first ? job : NULL);
    dl__rewrite_release(rewrite, context);
    dl__context_unlock(context);
    if (compared)
        dl__launch_prepare(marshal_of(context, device), device, waited);
    /* A second build of the program's own text is compared there, of whatever structs. */
    marshal = knobs.own ? marshal_of(context, device) : NULL;
    if (marshal)
        dl_marshal_compare_prepare(marshal, 1);
}

/* Where the device is a CPU, it keeps every core busy, and what runs at idle priority
 * never gets to run. With these steps down, the builder has at most a fifth of one core
 * of two beside it, three tenths of one of four and half of one of more: 6 to 10 % of the
 * program's time; on a single core 14 steps leave it 4 %. With a GPU the cores are left
 * to the program and to others, and the rest is enough for the builder. */
static int steps_down(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    return cores >= 8 ? 1 : cores >= 4 ? 4 : cores >= 2 ? 6 : 14;
}

static void step_back(cl_device_id device)
{
    const struct sched_param any = {0};
    int steps = steps_down();
    static bool stepped_back;
    bool gpu = dl__device_is_gpu(device);

    if (gpu)
        setpriority(PRIO_PROCESS, 0, LOWEST_PRIORITY);
    if (stepped_back)
        return;
    stepped_back = true;
    if (gpu)
        sched_setscheduler(0, SCHED_BATCH, &any);
    /* Fewer steps are left below the program. */
    else if (getpriority(PRIO_PROCESS, 0) + steps > LOWEST_PRIORITY)
        sched_setscheduler(0, SCHED_IDLE, &any);
    else if (nice(steps) != -1)
        sched_setscheduler(0, SCHED_BATCH, &any);
}

/* Does a job, or the rest of one. True: some of it is left, which nobody waits for yet.
 *   waited  the program waits for it: the builder does not step back behind others */
static bool do_job(const struct dl__board_job *posted, bool waited, bool rest)
{
    struct dl__unpack job = {.data = jobs + posted->at, .bytes = posted->bytes};
    uint64_t kind = dl__unpack_number(&job);
    size_t name_bytes;
    const unsigned char *name = dl__unpack_bytes(&job, &name_bytes);
    struct dl__context *context;
    bool has_rest = false;
    struct dl__unit *unit;
    cl_device_id device;

    if (!name)
        return false;
    if (kind == DL__JOB_TEXT && !rest) {
        if (!waited)
            step_back(NULL);
        unit = dl__unit_read_job(&job, name, name_bytes);
        if (unit)
            atomic_store(&kernels_found, true);
        atomic_store(&read_units[posted - board->list], unit);
        return unit != NULL;
    }
    /* No device is opened for kernels that have nothing for DL. */
    if (kind == DL__JOB_EXPECT && !atomic_load(&kernels_found))
        return false;
    device = dl__devices_find(name, name_bytes);
    /* A GPU is the program's while that builds its own text. */
    if (kind == DL__JOB_TEXT && dl__device_is_gpu(device))
        return false;
    if (!waited)
        step_back(device);
    context = device ? dl__devices_context(device) : NULL;
    if (!context)
        return false;
    if (kind == DL__JOB_SHADOW || kind == DL__JOB_FIRST)
        do_shadow(&job, context, device, kind == DL__JOB_FIRST, waited);
    else if (kind == DL__JOB_MOVE)
        has_rest = do_move(&job, context, device, waited, rest);
    else if (kind == DL__JOB_KERNELS)
        do_kernels(&job, context, device);
    else if (kind == DL__JOB_EXPECT)
        do_expect(&job, context, device);
    else if ((unit = atomic_exchange(&read_units[posted - board->list], NULL)))
        expect_first(unit, context, device);
    /* The device is the program's while that waits. */
    if (!waited)
        dl__device_measure(context->object.handle, device);
    return has_rest;
}

/* ---- serving ---- */

/* Passes a new entry to the program. */
static void tell(const struct dl__pack *key, const void *value, size_t value_bytes)
{
    struct dl__pack entry = {0};
    unsigned char *to = NULL;
    size_t at;

    dl__memory_put(key, value, value_bytes); /* for later jobs */
    dl__pack_bytes(&entry, key->data, key->bytes);
    dl__pack_bytes(&entry, value, value_bytes);
    dl__mutex_lock(&telling);
    at = atomic_load(&board->kept_bytes);
    if (!entry.failed && entry.bytes <= DL__BOARD_KEPT_BYTES - at)
        to = dl__window_reach(&window, at, entry.bytes);
    if (to) {
        memcpy(to, entry.data, entry.bytes);
        atomic_store(&board->kept_bytes, at + entry.bytes);
    }
    dl__mutex_unlock(&telling);
    dl__pack_free(&entry);
}

static bool is_over(int parent)
{
    struct pollfd program = {.fd = parent, .events = POLLIN};

    return (parent >= 0 && poll(&program, 1, 0) != 0) ||
           atomic_load(&idle_looks) > IDLE_LOOKS_MAX;
}

static void wait_for_jobs(unsigned posted)
{
    const struct timespec look = {.tv_nsec = LOOK_MILLISECONDS * 1000000};

    syscall(SYS_futex, &board->posted, FUTEX_WAIT, posted, &look, NULL, 0);
}

/* There are two lanes: what the program waits for is not behind what it does not wait
 * for. */
enum lane { WAITED, IN_TIME, BOTH };

/* The next of these that nobody has begun, which the caller does; NULL: none. All before
 * *first are begun. */
static struct dl__board_job *take(enum lane lane, unsigned *first, unsigned posted)
{
    while (*first < posted && atomic_load(&board->list[*first].begun))
        ++*first;
    for (unsigned j = *first; j < posted; j++) {
        struct dl__board_job *job = &board->list[j];

        if ((lane == BOTH || atomic_load(&job->waited) == (lane == WAITED)) &&
            !atomic_exchange(&job->begun, true))
            return job;
    }
    return NULL;
}

/* Does the rest of a job that is done but for that; false: there is none. */
static bool do_rest(unsigned posted)
{
    for (unsigned j = 0; j < posted; j++) {
        struct dl__board_job *job = &board->list[j];

        if (!atomic_exchange(&job->has_rest, false))
            continue;
        /* The program's next run goes first. */
        if (atomic_load(&over))
            setpriority(PRIO_PROCESS, 0, LOWEST_PRIORITY);
        do_job(job, false, true);
        return true;
    }
    return false;
}

static void serve(enum lane lane, int parent)
{
    unsigned first = 0;

    for (;;) {
        unsigned posted = atomic_load(&board->posted);
        struct dl__board_job *job;

        if (lane != WAITED && !atomic_load(&over))
            atomic_store(&over, is_over(parent));
        /* A program may be over before its builder has begun, each time that it runs: one
         * job is done in any case, or it would never get anything, and some more of those
         * that it has asked for. */
        if (atomic_load(&over) && !(owes && atomic_load(&after) < AFTER_JOBS_MAX))
            break;
        job = take(lane, &first, posted);
        if (!job && lane != WAITED && do_rest(posted)) {
            if (atomic_load(&over))
                atomic_fetch_add(&after, 1);
            atomic_store(&idle_looks, 0);
            continue;
        }
        if (!job && atomic_load(&over))
            break;
        if (!job) {
            wait_for_jobs(posted);
            if (lane != WAITED && !atomic_load(&busy))
                atomic_fetch_add(&idle_looks, 1);
            continue;
        }
        if (atomic_load(&over))
            atomic_fetch_add(&after, 1);
        atomic_fetch_add(&busy, 1);
        atomic_store(&idle_looks, 0);
        if (do_job(job, lane == WAITED, false))
            atomic_store(&job->has_rest, true);
        atomic_store(&job->done, true);
        atomic_fetch_add(&board->done, 1);
        syscall(SYS_futex, &board->done, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
        atomic_store(&idle_looks, 0);
        atomic_fetch_sub(&busy, 1);
    }
}

static void *serve_waited(void *unused)
{
    serve(WAITED, -1);
    return unused;
}

static bool open_kept(int file)
{
    bool opened;

    dl__mutex_lock(&telling);
    opened = dl__window_open(&window, file, DL__BOARD_KEPT_AT);
    dl__mutex_unlock(&telling);
    return opened;
}

int clServeBuildsDL(int file, int parent, const struct dl__transformer *brought,
                    void (*start_drivers)(void))
{
    pthread_t waited;
    bool two;

    dl__devices_start(start_drivers);
    board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    jobs =
        mmap(NULL, DL__BOARD_JOB_BYTES, PROT_READ, MAP_SHARED, file, DL__BOARD_JOBS_AT);
    dl__builder_renounce(brought);
    if (board == MAP_FAILED || jobs == MAP_FAILED || !open_kept(file) ||
        pthread_mutex_lock(&board->alive) != 0)
        return 1;
    atomic_store(&board->state, DL__BOARD_SERVING);
    dl__binaries_offer();
    dl__cache_listen(tell);
    dl__builds_wait_until(job_is_waited);
    owes = dl__cache_is_on(); /* what is made outlives the program */
    two = !board->one_by_one && pthread_create(&waited, NULL, serve_waited, NULL) == 0;
    serve(two ? IN_TIME : BOTH, parent);
    if (two)
        pthread_join(waited, NULL);
    atomic_store(&board->state, DL__BOARD_LEFT);
    pthread_mutex_unlock(&board->alive);
    return 0;
}
