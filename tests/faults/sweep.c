/* SPDX-License-Identifier: MIT */
/* fault_sweep SEED COMMANDS FIRST STRIDE [cold] [lasting] [binary] [kept] [CODE]: rounds
 * of one scene, in each of which another of the calls that reach the driver fails: the
 * FIRST, and every STRIDE'th after it.
 *
 *   cold     each round has a context of its own, and the calls that make it and its
 *            program fail, too; otherwise rounds share them, as long as the driver is
 *            asked the same
 *   lasting  from the call on, its function goes on failing until the end of the round
 *   binary   the program's binary is asked for, and a program made of it takes its place
 *   kept     so it is in a process of its own, without faults, and all rounds have that
 *            binary alone
 *
 * A round runs in a child, so that a crash or a hang is one finding of many. FAULT_LAYER
 * names the layer, which must be in OPENCL_LAYERS; without it nothing fails, in one
 * round. The exit code is 1 when something was found. */
#include "scene.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

struct options {
    unsigned seed, commands, first, stride;
    bool cold, lasting, binary, kept;
    cl_int code;
};

/* Of parent and child. */
struct shared {
    atomic_uint round;  /* the call that fails; 0: none, the first round */
    atomic_uint rounds; /* ended */
    atomic_uint findings;
    atomic_uint total;       /* calls in a round without faults */
    atomic_uint fired_calls; /* rounds in which the call came */
    char what[160];          /* the call */
};

static struct shared *shared;

enum { KEPT_BYTES = 8 << 20 };
static struct kept_binary *kept;

static const struct fault_layer *find_layer(void)
{
    const char *path = getenv("FAULT_LAYER");
    void *library = path && *path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;

    return library ? dlsym(library, FAULT_LAYER_SYMBOL) : NULL;
}

/* One round; false: no more, there are fewer calls than that. */
static bool run_round(struct scene *base, const struct options *options, unsigned call,
                      unsigned *launches)
{
    static struct scene scene;
    struct scene *s = &scene;
    unsigned nth = 0;
    const char *fired;

    *s = (struct scene){.layer = base->layer,
                        .runs_kernels = base->runs_kernels,
                        .lasting = options->lasting,
                        .reloads = options->binary,
                        .kept = options->kept ? kept : NULL,
                        .seed = options->seed,
                        .call = call,
                        .device = base->device,
                        .context = base->context,
                        .program = base->program};
    if (s->layer) {
        s->layer->arm(call, options->code, options->lasting);
        s->layer->hold(false);
    }
    if (!s->context && !scene_base_make(s))
        report(s, ODD, "the program was not built");
    if (scene_begin(s)) {
        for (s->number = 0; s->number < options->commands; s->number++)
            run_command(s);
        check_all(s);
    } else {
        report(s, LOST, "objects can't be made");
    }
    calm_begin(s);
    fired = s->layer ? s->layer->fired(&nth) : NULL;
    scene_end(s);
    *launches = s->last_launches;
    if (call == 0)
        atomic_store(&shared->total, s->layer ? s->layer->calls() : 0);
    atomic_fetch_add(&shared->findings, s->found != 0);
    atomic_fetch_add(&shared->rounds, 1);
    if (fired)
        atomic_fetch_add(&shared->fired_calls, 1);
    base->context = s->context;
    base->program = s->program;
    base->device = s->device;
    base->runs_kernels = s->runs_kernels;
    return call == 0 || fired;
}

/* The rounds from shared->round on. They share a context while its kernels run as in its
 * first rounds: some of what failed is given up for a context's whole life, and then
 * fewer calls come. */
static void run_rounds(const struct options *options)
{
    struct scene base = {0};
    unsigned usual = 0, launches;
    bool is_new = true;
    cl_uint platforms;

    clGetPlatformIDs(0, NULL, &platforms); /* the loader opens the layers */
    base.layer = find_layer();
    if (base.layer)
        base.layer->tell(shared->what, sizeof shared->what);
    for (unsigned call = atomic_load(&shared->round);;) {
        bool fired;

        if (!base.context && !options->cold) {
            /* The first in a context has what later ones need not do again. */
            run_round(&base, options, 0, &launches);
            run_round(&base, options, 0, &usual);
            is_new = true;
        }
        fired = run_round(&base, options, call, &launches);
        if (!base.layer || (!fired && (is_new || options->cold)))
            return;
        if (fired) {
            call += call ? options->stride : options->first;
            atomic_store(&shared->round, call);
        }
        is_new = false;
        if (options->cold || !fired || launches != usual)
            scene_base_free(&base);
    }
}

/* ---- the parent ---- */

static void *share(size_t bytes)
{
    void *memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

/* A process that builds from source and keeps the binary. */
static bool keep_binary(const struct options *options)
{
    int status = -1;
    pid_t child;

    kept = share(KEPT_BYTES);
    if (!kept)
        return false;
    kept->room = KEPT_BYTES - sizeof *kept;
    fflush(stdout);
    child = fork();
    if (child == 0) {
        struct scene base = {0};
        unsigned launches;

        run_round(&base, options, 0, &launches);
        exit(0);
    }
    waitpid(child, &status, 0);
    return status == 0 && kept->bytes;
}

/* 0: the child has ended well. */
static int watch(pid_t child, unsigned patience_s)
{
    unsigned last = ~0u, idle_ms = 0;
    int status;

    for (;;) {
        unsigned rounds = atomic_load(&shared->rounds);

        if (waitpid(child, &status, WNOHANG) == child)
            return status;
        idle_ms = rounds == last ? idle_ms + 5 : 0;
        last = rounds;
        if (idle_ms > patience_s * 1000) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return -1;
        }
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
}

static void sweep(const struct options *options)
{
    const char *patience = getenv("FAULT_PATIENCE");
    unsigned patience_s = patience ? (unsigned)atoi(patience) : 120;

    for (;;) {
        pid_t child;
        unsigned call;
        int status;

        fflush(stdout);
        child = fork();
        if (child == 0) {
            run_rounds(options);
            exit(0); /* where statistics and traces are written */
        }
        status = watch(child, patience_s);
        if (status == 0)
            return;
        call = atomic_load(&shared->round);
        if (status == -1)
            printf("hang: seed %u, %s (call %u): no end after %u s\n", options->seed,
                   shared->what, call, patience_s);
        else
            printf("crash: seed %u, %s (call %u): %s\n", options->seed, shared->what,
                   call, WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "exit");
        atomic_fetch_add(&shared->findings, 1);
        if (call == 0)
            return; /* not even without faults */
        atomic_store(&shared->round, call + options->stride);
    }
}

int main(int argc, char **argv)
{
    struct options options = {.code = CL_OUT_OF_RESOURCES};

    if (argc < 5) {
        fputs("usage: fault_sweep SEED COMMANDS FIRST STRIDE [cold] [lasting] [binary] "
              "[kept] [CODE]\n",
              stderr);
        return 2;
    }
    options.seed = (unsigned)atoi(argv[1]);
    options.commands = (unsigned)atoi(argv[2]);
    options.first = (unsigned)atoi(argv[3]);
    options.stride = (unsigned)atoi(argv[4]);
    if (options.first == 0 || options.stride == 0)
        return 2;
    for (int i = 5; i < argc; i++) {
        if (strcmp(argv[i], "cold") == 0)
            options.cold = true;
        else if (strcmp(argv[i], "lasting") == 0)
            options.lasting = true;
        else if (strcmp(argv[i], "binary") == 0)
            options.binary = true;
        else if (strcmp(argv[i], "kept") == 0)
            options.binary = options.kept = true;
        else
            options.code = atoi(argv[i]);
    }
    shared = share(sizeof *shared);
    if (!shared)
        return 2;
    if (options.kept && !keep_binary(&options)) {
        puts("no binary could be kept");
        return 1;
    }
    sweep(&options);
    printf("seed %u: %u calls, %u of them failed, %u findings\n", options.seed,
           atomic_load(&shared->total), atomic_load(&shared->fired_calls),
           atomic_load(&shared->findings));
    return atomic_load(&shared->findings) ? 1 : 0;
}
