/* SPDX-License-Identifier: MIT */
/* Claim: the engine builds a program once for each text and its knobs, runs a chain in
 * its order on queues of either kind, gives a workspace to one chain at a time, tries a
 * refused run again, and releases all that it took. On a device that computes on the
 * host: the engine knows no OpenCL. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/run.h"
#include "host_device.h"
#include "marshal_kernels/steps.h"
#include "tests/layout/step_target.h"

enum { WORDS = 60 };

static struct host_device device;
static struct dl__engine engine;
static cl_mem mem;

static const struct dl__kernel_source source = {{"kernels\n", "and more\n"}},
                                      other = {{"others\n"}};

/* ---- kernels ---- */

/* Reverses the first `n` of the words at `base`: such steps do not commute. */
static void reverse(const struct host_call *call)
{
    const cl_ulong *base = call->args[1], *n = call->args[2];
    uint32_t *words = (uint32_t *)((unsigned char *)call->args[0] + *base);

    for (cl_ulong i = 0; i < *n / 2; i++) {
        uint32_t word = words[i];
        words[i] = words[*n - 1 - i];
        words[*n - 1 - i] = word;
    }
}

/* Saves all words in the workspace. */
static void save(const struct host_call *call)
{
    memcpy((void *)call->args[1], call->args[0], WORDS * 4);
}

/* Adds up what was saved and what is there now. */
static void add_saved(const struct host_call *call)
{
    uint32_t *words = (uint32_t *)call->args[0];
    const uint32_t *saved = call->args[1];

    for (size_t i = 0; i < WORDS; i++)
        words[i] = words[i] * 7 + saved[i];
}

/* 010! on tiles, as dl_tile_any does: `rows` x COLUMNS words each. */
static void tile_any(const struct host_call *call)
{
    const cl_ulong *base = call->args[1], *rows = call->args[2];
    unsigned columns = 0;
    uint32_t *tile = (uint32_t *)call->args[3];

    ck_assert_int_eq(
        sscanf(strstr(call->text, "#define COLUMNS "), "#define COLUMNS %u", &columns),
        1);
    for (size_t group = 0; group < call->global[0] / call->local[0]; group++) {
        uint32_t *words = (uint32_t *)((unsigned char *)call->args[0] + *base) +
                          group * *rows * columns;
        for (size_t e = 0; e < *rows * columns; e++)
            tile[e % columns * *rows + e / columns] = words[e];
        memcpy(words, tile, *rows * columns * 4);
    }
}

static const struct host_kernel kernels[] = {{"reverse", reverse},
                                             {"save", save},
                                             {"add_saved", add_saved},
                                             {"dl_tile_any", tile_any},
                                             {NULL, NULL}};

/* ---- fixtures ---- */

static void setup(void)
{
    device = (struct host_device){.kernels = kernels,
                                  .limits = {.local_bytes = 4096,
                                             .alloc_bytes = 1 << 20,
                                             .group_items = 64,
                                             .compute_units = 4}};
    ck_assert_int_eq(dl__engine_open(&engine, &host_device_ops, &device), DL_OK);
    mem = host_buffer_make(&device, WORDS * 4);
    for (uint32_t i = 0; i < WORDS; i++)
        ((uint32_t *)host_buffer_bytes(mem))[i] = i;
}

static void teardown(void)
{
    host_device_ops.buffer_free(&device, mem);
    dl__engine_close(&engine);
    ck_assert_int_eq(device.programs, 0);
    ck_assert_int_eq(device.kernels_made, 0);
    ck_assert_int_eq(device.buffers, 0);
    ck_assert_int_eq(device.events, 0);
}

static cl_kernel kernel_of(const char *name)
{
    cl_kernel kernel = NULL;

    pthread_mutex_lock(&engine.lock);
    ck_assert_int_eq(dl__engine_kernel(&engine, &source, "knobs\n", name, &kernel, NULL),
                     DL_OK);
    pthread_mutex_unlock(&engine.lock);
    return kernel;
}

static struct dl__run reverse_run(uint64_t first_word, uint64_t words)
{
    struct dl__run run = {
        .name = "reverse", .kernel = kernel_of("reverse"), .dims = 1, .global = {1}};

    dl__run_add_buffer(&run);
    dl__run_add_base(&run, first_word * 4);
    dl__run_add_ulong(&run, words);
    return run;
}

static struct dl__run workspace_run(const char *name)
{
    struct dl__run run = {.name = name,
                          .kernel = kernel_of(name),
                          .reads_only = strcmp(name, "save") == 0,
                          .dims = 1,
                          .global = {1}};

    dl__run_add_buffer(&run);
    dl__run_add_workspace(&run);
    return run;
}

/* Reversals of more and more words: what comes out depends on their order. */
static void list_make(struct dl__run_list *list, size_t count)
{
    *list = (struct dl__run_list){.runs = NULL};
    for (size_t r = 0; r < count; r++) {
        struct dl__run run = reverse_run(r % 3, WORDS / 2 + r);
        ck_assert_int_eq(dl__run_list_add(list, &run, 100 * r), DL_OK);
    }
}

/* What `count` of them make of 0, 1, 2... */
static void expect_reversed(size_t count)
{
    uint32_t words[WORDS];

    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = i;
    for (size_t r = 0; r < count; r++) {
        const cl_ulong base = r % 3 * 4, n = WORDS / 2 + r;
        reverse(&(struct host_call){.args = {words, &base, &n}});
    }
    ck_assert_mem_eq(host_buffer_bytes(mem), words, sizeof words);
}

static cl_int chain_run_all(struct dl__run_chain *chain, const struct dl__run_list *list)
{
    const struct dl__run_place place = {mem, NULL, 0};
    cl_int err = CL_SUCCESS;

    pthread_mutex_lock(&engine.lock);
    while (chain->done < list->count && err == CL_SUCCESS)
        err = dl__run_chain_run(chain, &list->runs[chain->done], &place,
                                chain->done + 1 == list->count);
    pthread_mutex_unlock(&engine.lock);
    return err;
}

/* ---- tests ---- */

START_TEST(a_program_is_built_once)
{
    struct dl__build_failure failure;
    cl_kernel kernel, again;

    ck_assert_int_eq(dl__engine_kernel(&engine, &source, "a", "save", &kernel, NULL),
                     DL_OK);
    ck_assert_int_eq(dl__engine_kernel(&engine, &source, "a", "save", &again, NULL),
                     DL_OK);
    ck_assert_ptr_eq(kernel, again);
    ck_assert_int_eq(dl__engine_kernel(&engine, &source, "a", "reverse", &again, NULL),
                     DL_OK);
    ck_assert_ptr_ne(kernel, again);
    ck_assert_uint_eq(device.programs_built, 1);
    ck_assert_int_eq(dl__engine_kernel(&engine, &source, "b", "save", &again, NULL),
                     DL_OK);
    ck_assert_int_eq(dl__engine_kernel(&engine, &other, "a", "save", &again, NULL),
                     DL_OK);
    ck_assert_uint_eq(device.programs_built, 3);
    ck_assert_int_eq(dl__engine_kernel(&engine, &source, "a", "none", &again, &failure),
                     DL_ECL);
    ck_assert_int_eq(failure.err, CL_INVALID_KERNEL_NAME);
    ck_assert(failure.is_built);
    ck_assert_uint_eq(device.programs_built, 3);
}
END_TEST

/* An out-of-order queue runs the newest command first unless an event forbids it. */
START_TEST(a_chain_keeps_its_order)
{
    bool is_in_order = _i % 2 == 0, wants = _i / 2 == 1;
    cl_command_queue queue = host_queue_make(&device, is_in_order);
    cl_event gate = host_event_make(&device), first = NULL, last = NULL;
    struct dl__run_chain chain = {.engine = &engine,
                                  .queue = queue,
                                  .is_in_order = is_in_order,
                                  .tries = 1,
                                  .wants_first = wants,
                                  .wants_last = wants,
                                  .wait_count = 1,
                                  .wait = &gate};
    struct dl__run_list list;

    list_make(&list, 7);
    ck_assert_uint_eq(list.workspace_bytes, 600);
    ck_assert_int_eq(chain_run_all(&chain, &list), CL_SUCCESS);
    dl__run_chain_end(&chain, wants ? &first : NULL, wants ? &last : NULL);
    ck_assert(!host_queue_finish(queue)); /* the caller's event holds all back */
    expect_reversed(0);
    host_event_set(gate);
    ck_assert(host_queue_finish(queue));
    expect_reversed(7);
    ck_assert(wants == (first != NULL) && wants == (last != NULL));
    if (wants) {
        ck_assert(host_device_ops.event_is_over(&device, last));
        host_device_ops.event_release(&device, first);
        host_device_ops.event_release(&device, last);
    }
    host_device_ops.event_release(&device, gate);
    dl__run_list_free(&list);
    host_queue_free(queue);
}
END_TEST

START_TEST(a_refused_run_is_tried_again)
{
    bool is_in_order = _i == 0;
    cl_command_queue queue = host_queue_make(&device, is_in_order);
    struct dl__run_chain chain = {
        .engine = &engine, .queue = queue, .is_in_order = is_in_order, .tries = 3};
    struct dl__run_list list;

    list_make(&list, 5);
    device.refuse_first = 2;
    device.refuse_count = 2;
    ck_assert_int_eq(chain_run_all(&chain, &list), CL_SUCCESS);
    ck_assert_uint_eq(device.calls, 7);
    dl__run_chain_end(&chain, NULL, NULL);
    ck_assert(host_queue_finish(queue));
    expect_reversed(5);
    dl__run_list_free(&list);
    host_queue_free(queue);
}
END_TEST

/* Then the caller knows how far it came, and can go on behind it. */
START_TEST(a_chain_that_breaks_off_can_go_on)
{
    bool is_in_order = _i == 0;
    cl_command_queue queue = host_queue_make(&device, is_in_order);
    struct dl__run_chain chain = {
        .engine = &engine, .queue = queue, .is_in_order = is_in_order, .tries = 3};
    struct dl__run_list list;

    list_make(&list, 5);
    device.refuse_first = 2;
    device.refuse_count = 3;
    ck_assert_int_eq(chain_run_all(&chain, &list), CL_OUT_OF_RESOURCES);
    ck_assert_uint_eq(chain.done, 2);
    ck_assert_uint_eq(device.launches, 2);
    ck_assert_int_eq(chain_run_all(&chain, &list), CL_SUCCESS);
    dl__run_chain_end(&chain, NULL, NULL);
    ck_assert(host_queue_finish(queue));
    expect_reversed(5);
    dl__run_list_free(&list);
    host_queue_free(queue);
}
END_TEST

START_TEST(a_run_is_moved_by_its_place)
{
    cl_command_queue queue = host_queue_make(&device, true);
    struct dl__run run = reverse_run(2, 4);
    const struct dl__run_place place = {mem, NULL, 8};
    uint32_t *words = host_buffer_bytes(mem);

    dl__run_shift(&run, 4);
    ck_assert_int_eq(dl__run_enqueue(&engine, queue, &run, &place,
                                     &(struct dl__device_order){0, NULL, NULL}),
                     CL_SUCCESS);
    ck_assert(host_queue_finish(queue));
    ck_assert_uint_eq(words[4], 4);
    ck_assert_uint_eq(words[5], 8);
    ck_assert_uint_eq(words[8], 5);
    ck_assert_uint_eq(words[9], 9);
    host_queue_free(queue);
}
END_TEST

/* One chain's, until its last command is over; a larger one takes a smaller one's place.
 */
START_TEST(a_workspace_serves_one_chain_at_a_time)
{
    cl_event event = host_event_make(&device);
    struct dl__workspace *a, *b, *c;

    ck_assert_int_eq(dl__workspace_take(&engine, NULL, 100, &a), DL_OK);
    ck_assert_int_eq(dl__workspace_take(&engine, NULL, 100, &b), DL_OK);
    ck_assert_ptr_ne(a, b);
    dl__workspace_give(&engine, a, NULL, event);
    ck_assert_int_eq(dl__workspace_take(&engine, NULL, 50, &c), DL_OK);
    ck_assert(c != a && c != b); /* its command still runs */
    ck_assert_int_eq(device.buffers, 4);
    dl__workspace_give(&engine, c, NULL, NULL);
    host_event_set(event);
    ck_assert_int_eq(dl__workspace_take(&engine, NULL, 100, &c), DL_OK);
    ck_assert_ptr_eq(c, a);
    ck_assert_int_eq(device.buffers, 3); /* that of 50 bytes is gone */
    dl__workspace_give(&engine, b, NULL, NULL);
    dl__workspace_give(&engine, c, NULL, NULL);
    device.has_no_memory = true;
    ck_assert_int_eq(dl__workspace_take(&engine, NULL, 200, &c), DL_EWORKSPACE);
    ck_assert_int_eq(device.buffers,
                     1); /* the matrix alone: all idle ones were too small */
    host_device_ops.event_release(&device, event);
}
END_TEST

/* What one queue runs in order may share one, however much is pending; another queue may
 * not, nor a chain that is not enqueued yet. */
START_TEST(commands_of_one_queue_share_a_workspace)
{
    cl_command_queue queue = host_queue_make(&device, true),
                     second = host_queue_make(&device, true);
    cl_event events[] = {host_event_make(&device), host_event_make(&device)};
    const struct dl__turns first = {queue, NULL}, other_queue = {second, NULL};
    const int buffers = device.buffers;
    struct dl__workspace *a, *b;

    ck_assert_int_eq(dl__workspace_take(&engine, &first, 100, &a), DL_OK);
    for (int i = 0; i < 100; i++) {
        dl__workspace_give(&engine, a, &first, events[i % 2]);
        ck_assert_int_eq(dl__workspace_take(&engine, &first, 100, &b), DL_OK);
        ck_assert_ptr_eq(a, b);
    }
    ck_assert_int_eq(device.buffers, buffers + 1);
    ck_assert_int_eq(dl__workspace_take(&engine, &first, 100, &b), DL_OK);
    ck_assert_ptr_ne(a, b); /* its chain is not enqueued yet */
    dl__workspace_give(&engine, b, &first, NULL);
    ck_assert_int_eq(dl__workspace_take(&engine, &first, 200, &b), DL_OK);
    dl__workspace_give(&engine, b, &first, events[0]);
    /* The last chain enqueued nothing: the commands before it are still to come. */
    dl__workspace_give(&engine, a, &first, NULL);
    ck_assert_int_eq(dl__workspace_take(&engine, &other_queue, 100, &b), DL_OK);
    ck_assert_ptr_ne(a, b);
    ck_assert_int_eq(device.buffers, buffers + 3);
    dl__workspace_give(&engine, b, &other_queue, NULL);
    host_event_set(events[0]);
    host_event_set(events[1]);
    ck_assert_int_eq(dl__workspace_take(&engine, &other_queue, 300, &b), DL_OK);
    ck_assert_int_eq(device.buffers, buffers + 1);
    dl__workspace_give(&engine, b, &other_queue, NULL);
    host_device_ops.event_release(&device, events[0]);
    host_device_ops.event_release(&device, events[1]);
    host_queue_free(queue);
    host_queue_free(second);
}
END_TEST

/* So may what moves one buffer, on whatever queue. */
START_TEST(moves_of_one_buffer_share_a_workspace)
{
    cl_event event = host_event_make(&device);
    const struct dl__turns same = {NULL, mem}, none = {NULL, NULL};
    struct dl__workspace *a, *b;

    ck_assert_int_eq(dl__workspace_take(&engine, &same, 100, &a), DL_OK);
    dl__workspace_give(&engine, a, &same, event);
    ck_assert_int_eq(dl__workspace_take(&engine, &none, 100, &b), DL_OK);
    ck_assert_ptr_ne(a, b);
    dl__workspace_give(&engine, b, &none, event);
    ck_assert_int_eq(dl__workspace_take(&engine, &same, 100, &b), DL_OK);
    ck_assert_ptr_eq(a, b);
    dl__workspace_give(&engine, b, &same, NULL);
    host_event_set(event);
    host_device_ops.event_release(&device, event);
}
END_TEST

/* Nobody can tell when its last command is over: the driver keeps the memory, the engine
 * does not. */
START_TEST(a_workspace_whose_event_is_not_kept_is_given_up)
{
    cl_event event = host_event_make(&device), first = event, last = NULL;
    const int buffers = device.buffers, events = device.events;
    struct dl__workspace *a, *b;
    cl_command_queue queue = host_queue_make(&device, true);

    ck_assert_int_eq(dl__workspace_take(&engine, NULL, 100, &a), DL_OK);
    ck_assert_int_eq(dl__workspace_take(&engine, NULL, 100, &b), DL_OK);
    device.refuses_retain = true;
    dl__workspace_give(&engine, a, NULL, event);
    ck_assert_int_eq(device.buffers, buffers + 1);
    dl__workspace_give(&engine, b, NULL, NULL);
    ck_assert_int_eq(dl__engine_mark(&engine, queue, 0, NULL, &first, &last), CL_SUCCESS);
    ck_assert_ptr_null(first);
    device.refuses_retain = false;
    host_device_ops.event_release(&device, last);
    ck_assert(host_queue_finish(queue));
    host_event_set(event);
    ck_assert_int_eq(dl__workspace_take(&engine, NULL, 100, &a), DL_OK);
    ck_assert_ptr_eq(a, b);
    dl__workspace_give(&engine, a, NULL, NULL);
    ck_assert_int_eq(device.events, events);
    host_device_ops.event_release(&device, event);
    host_queue_free(queue);
}
END_TEST

/* Two chains on two queues, the second enqueued while the first waits. */
START_TEST(workspaces_keep_chains_apart)
{
    cl_command_queue queues[2] = {host_queue_make(&device, false),
                                  host_queue_make(&device, false)};
    cl_mem mems[2] = {mem, host_buffer_make(&device, WORDS * 4)};
    struct dl__run runs[] = {workspace_run("save"), reverse_run(0, WORDS),
                             workspace_run("add_saved")};
    cl_event gate = host_event_make(&device);

    for (uint32_t i = 0; i < WORDS; i++)
        ((uint32_t *)host_buffer_bytes(mems[1]))[i] = 1000 + 3 * i;
    ck_assert(dl__run_uses_workspace(&runs[0]) && !dl__run_uses_workspace(&runs[1]));
    for (size_t q = 0; q < 2; q++) {
        struct dl__run_chain chain = {.engine = &engine,
                                      .queue = queues[q],
                                      .tries = 1,
                                      .wants_last = true,
                                      .wait_count = 1,
                                      .wait = &gate};
        struct dl__workspace *workspace;
        ck_assert_int_eq(dl__workspace_take(&engine, NULL, WORDS * 4, &workspace), DL_OK);
        const struct dl__run_place place = {mems[q], workspace->mem, 0};
        for (size_t r = 0; r < 3; r++)
            ck_assert_int_eq(dl__run_chain_run(&chain, &runs[r], &place, r == 2),
                             CL_SUCCESS);
        dl__workspace_give(&engine, workspace, NULL, chain.last);
        dl__run_chain_end(&chain, NULL, NULL);
    }
    host_event_set(gate);
    ck_assert(host_queue_finish(queues[1]) && host_queue_finish(queues[0]));
    for (uint32_t i = 0; i < WORDS; i++) {
        ck_assert_uint_eq(((uint32_t *)host_buffer_bytes(mems[0]))[i],
                          (WORDS - 1 - i) * 7 + i);
        ck_assert_uint_eq(((uint32_t *)host_buffer_bytes(mems[1]))[i],
                          (1000 + 3 * (WORDS - 1 - i)) * 7 + 1000 + 3 * i);
    }
    host_device_ops.event_release(&device, gate);
    host_device_ops.buffer_free(&device, mems[1]);
    host_queue_free(queues[0]);
    host_queue_free(queues[1]);
}
END_TEST

/* A step as conversions and stages plan it, carried out by a kernel on the host. */
START_TEST(an_elementary_transposition_runs_on_any_device)
{
    const struct dl_step step = {
        .instances = 3, .rows = 4, .columns = 5, .element_bytes = 4};
    cl_command_queue queue = host_queue_make(&device, false);
    struct dl__run_chain chain = {.engine = &engine, .queue = queue, .tries = 1};
    struct dl__run_list list = {.runs = NULL};
    uint32_t *words = host_buffer_bytes(mem);
    struct dl__steps steps;

    dl__steps_open(&steps, &engine);
    pthread_mutex_lock(&engine.lock);
    ck_assert_int_eq(dl__steps_add(&steps, &step, &list), DL_OK);
    pthread_mutex_unlock(&engine.lock);
    ck_assert_uint_eq(list.count, 1);
    ck_assert_uint_eq(list.traffic_bytes, 2 * WORDS * 4);
    ck_assert_int_eq(chain_run_all(&chain, &list), CL_SUCCESS);
    dl__run_chain_end(&chain, NULL, NULL);
    ck_assert(host_queue_finish(queue));
    for (uint32_t e = 0; e < WORDS; e++)
        ck_assert_uint_eq(words[step_target(&step, e)], e);
    dl__run_list_free(&list);
    host_queue_free(queue);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("engine");
    TCase *tcase = tcase_create("engine");
    SRunner *runner;
    int failed;

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_program_is_built_once);
    tcase_add_loop_test(tcase, a_chain_keeps_its_order, 0, 4);
    tcase_add_loop_test(tcase, a_refused_run_is_tried_again, 0, 2);
    tcase_add_loop_test(tcase, a_chain_that_breaks_off_can_go_on, 0, 2);
    tcase_add_test(tcase, a_run_is_moved_by_its_place);
    tcase_add_test(tcase, a_workspace_serves_one_chain_at_a_time);
    tcase_add_test(tcase, commands_of_one_queue_share_a_workspace);
    tcase_add_test(tcase, moves_of_one_buffer_share_a_workspace);
    tcase_add_test(tcase, a_workspace_whose_event_is_not_kept_is_given_up);
    tcase_add_test(tcase, workspaces_keep_chains_apart);
    tcase_add_test(tcase, an_elementary_transposition_runs_on_any_device);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
