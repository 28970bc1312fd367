/* SPDX-License-Identifier: MIT */
/* Claim: PTTWAC as cycle.cl runs it is right in every interleaving of its work-items,
 * where the order printed in the thesis (test the start's flag, then read the start) is
 * not.
 *
 * A model: every work-item is a state machine whose steps are single reads, writes and
 * atomics, and a random scheduler picks who goes next. */
#include <check.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/random_numbers.h"

enum { ELEMENTS_MAX = 64, ITEMS_MAX = 16, RUNS = 3000, HELD_MAX = 3 };

enum algorithm { AS_PRINTED, AS_RUN, AS_RUN_HELD };

enum place {
    HOLD_READ, /* the held elements' values, then a barrier */
    HOLD_WAIT,
    HOLD_WRITE,
    START, /* the next element to start from */
    START_TEST,
    START_READ,
    GLANCE, /* at the flag, without taking it */
    READ,
    TAKE,
    WRITE,
    STOPPED
};

struct item {
    enum place place;
    unsigned t, i, d, held; /* held: elements done in this phase */
    int carried, old;
    int held_value[HELD_MAX], held_next[HELD_MAX];
};

struct model {
    enum algorithm algorithm;
    unsigned rows, columns, items, hold, held, waiting;
    int array[ELEMENTS_MAX];
    unsigned char done[ELEMENTS_MAX];
    struct item item[ITEMS_MAX];
};

static uint64_t state;

static unsigned pick(unsigned most)
{
    return random_choice(&state, most);
}

static unsigned next_in_cycle(const struct model *m, unsigned p)
{
    return p % m->columns * m->rows + p / m->columns;
}

static unsigned back_in_cycle(const struct model *m, unsigned d)
{
    return d % m->rows * m->columns + d / m->rows;
}

/* A step with the elements that a work-item holds from the start. */
static void hold_step(struct model *m, struct item *it, unsigned id)
{
    switch (it->place) {
    case HOLD_READ:
        if (it->held / 2 < m->hold && it->held / 2 * m->items + id < m->held) {
            unsigned k = it->held / 2, d = k * m->items + id;
            if (it->held++ % 2 == 0)
                it->held_value[k] = m->array[back_in_cycle(m, d)];
            else
                it->held_next[k] = m->array[d];
            return;
        }
        it->place = HOLD_WAIT;
        m->waiting++;
        return;
    case HOLD_WAIT: /* the barrier */
        if (m->waiting < m->items)
            return;
        it->held = 0;
        it->place = HOLD_WRITE;
        return;
    default: /* HOLD_WRITE */
        if (it->held < m->hold && it->held * m->items + id < m->held) {
            m->array[it->held * m->items + id] = it->held_value[it->held];
            it->held++;
            return;
        }
        it->place = START;
        return;
    }
}

/* The next element to start from. */
static void start_step(struct model *m, struct item *it)
{
    if (it->t >= m->rows * m->columns) {
        it->place = STOPPED;
        return;
    }
    if (m->algorithm == AS_PRINTED) {
        it->i = it->t;
        it->d = next_in_cycle(m, it->i);
    } else {
        it->d = it->t;
        it->i = back_in_cycle(m, it->d);
    }
    it->t += m->items;
    if (it->d == it->i)
        return;
    it->place = m->algorithm == AS_PRINTED ? START_TEST : START_READ;
    if (it->d < m->held) {
        it->carried = it->held_next[it->d / m->items];
        it->d = next_in_cycle(m, it->d);
        it->place = GLANCE;
    }
}

/* One read, write or atomic of one work-item. */
static void item_step(struct model *m, unsigned id)
{
    struct item *it = &m->item[id];

    switch (it->place) {
    case HOLD_READ:
    case HOLD_WAIT:
    case HOLD_WRITE:
        hold_step(m, it, id);
        return;
    case START:
        start_step(m, it);
        return;
    case START_READ:
        it->carried = m->array[it->i];
        it->place = m->algorithm == AS_PRINTED ? READ : START_TEST;
        return;
    case START_TEST:
        if (m->done[it->i])
            it->place = START;
        else
            it->place = m->algorithm == AS_PRINTED ? START_READ : GLANCE;
        return;
    case GLANCE:
        it->place = m->done[it->d] ? START : READ;
        return;
    case READ:
        it->old = m->array[it->d];
        it->place = TAKE;
        return;
    case TAKE:
        it->place = m->done[it->d] ? START : WRITE;
        m->done[it->d] = 1;
        return;
    case WRITE:
        m->array[it->d] = it->carried;
        it->carried = it->old;
        it->d = next_in_cycle(m, it->d);
        it->place = m->algorithm == AS_PRINTED ? READ : GLANCE;
        return;
    case STOPPED:
        return;
    }
}

/* Runs one random interleaving of one random shape; true when the result is the
 * transpose. */
static bool model_run(enum algorithm algorithm)
{
    struct model m = {.algorithm = algorithm};
    unsigned live, elements;

    m.rows = 2 + pick(7);
    m.columns = 2 + pick(7);
    m.items = 1 + pick(ITEMS_MAX);
    elements = m.rows * m.columns;
    if (algorithm == AS_RUN_HELD) {
        m.hold = 1 + pick(HELD_MAX);
        m.held = m.hold * m.items < elements ? m.hold * m.items : elements;
        memset(m.done, 1, m.held);
    }
    for (unsigned e = 0; e < elements; e++)
        m.array[e] = (int)e;
    for (unsigned id = 0; id < m.items; id++) {
        m.item[id].place = algorithm == AS_RUN_HELD ? HOLD_READ : START;
        m.item[id].t = id;
    }
    do {
        /* A burst: some work-items run far ahead of others. */
        unsigned id = pick(m.items), burst = 1 + pick(8);
        while (burst-- > 0)
            item_step(&m, id);
        live = 0;
        for (unsigned i = 0; i < m.items; i++)
            live += m.item[i].place != STOPPED;
    } while (live > 0);
    for (unsigned e = 0; e < elements; e++)
        if (m.array[next_in_cycle(&m, e)] != (int)e)
            return false;
    return true;
}

static unsigned wrong_count(enum algorithm algorithm)
{
    unsigned wrong = 0;

    state = 0x9E3779B97F4A7C15u;
    for (unsigned run = 0; run < RUNS; run++)
        wrong += !model_run(algorithm);
    return wrong;
}

START_TEST(the_printed_order_races)
{
    ck_assert_uint_gt(wrong_count(AS_PRINTED), 0);
}
END_TEST

START_TEST(the_order_run_is_right)
{
    ck_assert_uint_eq(wrong_count(AS_RUN), 0);
}
END_TEST

START_TEST(held_elements_are_right)
{
    ck_assert_uint_eq(wrong_count(AS_RUN_HELD), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cycle model");
    TCase *tcase = tcase_create("interleavings");
    SRunner *runner;
    int failed;

    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, the_printed_order_races);
    tcase_add_test(tcase, the_order_run_is_right);
    tcase_add_test(tcase, held_elements_are_right);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
