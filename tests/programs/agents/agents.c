/* SPDX-License-Identifier: MIT */
/* --size agents live on a meadow for --steps steps. --check lets them live in C, too:
 * everything must be the same to the bit. */
#include "app.h"
#include "world.h"

#include <stdlib.h>
#include <string.h>

struct world {
    int agent_count, patch_count, side;
    agent_t *agents;
    patch_t *patches;
    summary_t summary;
};

static void make_world(struct app *app, struct world *w)
{
    uint32_t seed = 8;
    w->agent_count = (int)app->size;
    for (w->side = 4; w->side * w->side < w->agent_count; w->side++)
        ;
    w->patch_count = w->side * w->side;
    w->agents = app_alloc(app, (size_t)w->agent_count * sizeof(agent_t));
    w->patches = app_alloc(app, (size_t)w->patch_count * sizeof(patch_t));
    memset(w->agents, 0, (size_t)w->agent_count * sizeof(agent_t));
    memset(w->patches, 0, (size_t)w->patch_count * sizeof(patch_t));
    memset(&w->summary, 0, sizeof(w->summary));
    for (int i = 0; i < w->patch_count; i++) {
        w->patches[i].food = (int)(app_random(&seed) * MOST_FOOD);
        w->patches[i].claimed = NOBODY;
    }
    for (int i = 0; i < w->agent_count; i++) {
        w->agents[i].home[0] = (int)(app_random(&seed) * (float)w->side);
        w->agents[i].home[1] = (int)(app_random(&seed) * (float)w->side);
        w->agents[i].energy = 3 + (int)(app_random(&seed) * 30);
        w->agents[i].random = (uint)i * 747796405u + 1;
    }
}

static int is_out(const agent_t *a)
{
    return a->state == AGENT_GRAZING || a->state == AGENT_HEADING_HOME;
}

static patch_t *patch_at(const struct world *w, int x, int y)
{
    int side = w->side;
    return &w->patches[(y + side) % side * side + (x + side) % side];
}

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static void decide_in_c(struct world *w, agent_t *a)
{
    int best_x = sign(a->home[0] - a->at[0]), best_y = sign(a->home[1] - a->at[1]);
    if (a->state == AGENT_GRAZING) {
        int most = -1;
        a->random = a->random * 1664525u + 1013904223u;
        for (uint k = 0; k < 8; k++) {
            int way = (int)((k + (a->random >> 16)) % 9), x = way % 3 - 1,
                y = way / 3 - 1;
            int food = patch_at(w, a->at[0] + x, a->at[1] + y)->food;
            if (food <= most)
                continue;
            most = food;
            best_x = x;
            best_y = y;
        }
    }
    a->wish[0] = (a->at[0] + best_x + w->side) % w->side;
    a->wish[1] = (a->at[1] + best_y + w->side) % w->side;
}

static void move_in_c(struct world *w, int id)
{
    agent_t *a = &w->agents[id];
    patch_t *to = patch_at(w, a->wish[0], a->wish[1]);
    a->energy--;
    if (patch_at(w, a->at[0], a->at[1]) == to)
        return;
    if (to->claimed != id) {
        a->diary.blocked++;
        return;
    }
    patch_at(w, a->at[0], a->at[1])->crowd--;
    to->crowd++;
    to->visitors |= 1u << (id % 32);
    to->scent += a->state == AGENT_HEADING_HOME ? 5 : 1;
    memcpy(a->at, a->wish, sizeof(a->at));
    a->diary.moves++;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static void eat_in_c(struct world *w, agent_t *a)
{
    patch_t *here = patch_at(w, a->at[0], a->at[1]);
    if (a->state == AGENT_DEAD)
        return;
    if (a->state == AGENT_GRAZING) {
        int share = here->crowd > 0 ? smaller(here->food / here->crowd, APPETITE) : 0;
        a->energy += share / 3;
        a->carried += share - share / 3;
        a->diary.meals += share > 0;
        if (a->carried >= FULL)
            a->state = AGENT_HEADING_HOME;
    } else if (a->state == AGENT_HEADING_HOME) {
        if (!memcmp(a->at, a->home, sizeof(a->at)))
            a->state = AGENT_RESTING;
    } else {
        int bite = smaller(a->carried, 10);
        a->energy += bite;
        a->carried -= bite;
        if (!a->carried)
            a->state = AGENT_GRAZING;
    }
    if (a->energy <= 0) {
        a->state = AGENT_DEAD;
        here->scent += 100;
    }
}

static void step_in_c(struct world *w, uint step)
{
    for (int i = 0; i < w->agent_count; i++)
        if (is_out(&w->agents[i]))
            decide_in_c(w, &w->agents[i]);
    for (int i = w->agent_count - 1; i >= 0; i--)
        if (is_out(&w->agents[i]))
            patch_at(w, w->agents[i].wish[0], w->agents[i].wish[1])->claimed = i;
    for (int i = 0; i < w->agent_count; i++)
        if (is_out(&w->agents[i]))
            move_in_c(w, i);
    for (int i = 0; i < w->agent_count; i++)
        eat_in_c(w, &w->agents[i]);
    for (int i = 0; i < w->patch_count; i++) {
        patch_t *p = &w->patches[i];
        if (p->crowd > 0)
            p->food -= smaller(p->food / p->crowd, APPETITE) * p->crowd;
        if (step % 4 == 0)
            p->food = smaller(p->food + REGROWTH, MOST_FOOD);
        p->scent -= p->scent / 8;
        p->claimed = NOBODY;
    }
}

static void live_in_c(struct world *w, long steps)
{
    for (int i = 0; i < w->agent_count; i++) {
        agent_t *a = &w->agents[i];
        memcpy(a->at, a->home, sizeof(a->at));
        memcpy(a->wish, a->home, sizeof(a->wish));
        a->state = AGENT_GRAZING;
        patch_at(w, a->at[0], a->at[1])->crowd++;
    }
    for (long step = 0; step < steps; step++)
        step_in_c(w, (uint)step);
    for (int i = 0; i < w->agent_count; i++) {
        const agent_t *a = &w->agents[i];
        w->summary.population[a->state]++;
        w->summary.meals += a->diary.meals;
        if (a->carried > w->summary.richest)
            w->summary.richest = a->carried;
        if (a->state != AGENT_DEAD)
            w->summary.families |= 1u << (i % 32);
    }
    for (int i = 0; i < w->patch_count; i++)
        w->summary.scent += w->patches[i].scent;
}

static void check_world(struct app *app, const struct world *got)
{
    struct world w;
    make_world(app, &w);
    live_in_c(&w, app->steps);
    for (int i = 0; i < w.agent_count; i++)
        app_expect(app, !memcmp(&w.agents[i], &got->agents[i], sizeof(agent_t)),
                   "agent %d is at %d, %d with %d, not at %d, %d with %d", i,
                   got->agents[i].at[0], got->agents[i].at[1], got->agents[i].energy,
                   w.agents[i].at[0], w.agents[i].at[1], w.agents[i].energy);
    for (int i = 0; i < w.patch_count; i++)
        app_expect(app, !memcmp(&w.patches[i], &got->patches[i], sizeof(patch_t)),
                   "patch %d has food %d and a crowd of %d, not %d and %d", i,
                   got->patches[i].food, got->patches[i].crowd, w.patches[i].food,
                   w.patches[i].crowd);
    app_expect(app, !memcmp(&w.summary, &got->summary, sizeof(w.summary)),
               "the summary is not what the agents add up to");
    free(w.agents);
    free(w.patches);
}

static void live(struct app *app, struct world *w, cl_mem agents, cl_mem patches)
{
    static const char *const names[] = {"decide", "claim", "move", "eat"};
    size_t agent_count = (size_t)w->agent_count;
    cl_kernel settle = app_kernel(app, "settle"), tidy = app_kernel(app, "tidy"), acts[4];
    for (int k = 0; k < 4; k++) {
        acts[k] = app_kernel(app, names[k]);
        ARG(app, acts[k], 0, agents), ARG(app, acts[k], 1, patches);
        ARG(app, acts[k], 2, w->side);
    }
    ARG(app, settle, 0, agents), ARG(app, settle, 1, patches),
        ARG(app, settle, 2, w->side);
    ARG(app, tidy, 0, patches);
    app_run(app, settle, agent_count, 0);
    for (cl_uint step = 0; step < (cl_uint)app->steps; step++) {
        for (int k = 0; k < 4; k++)
            app_run(app, acts[k], agent_count, 0);
        ARG(app, tidy, 1, step);
        app_run(app, tidy, (size_t)w->patch_count, 0);
    }
}

int main(int argc, char **argv)
{
    struct app app;
    struct world w;
    app_open(&app, argc, argv, 1500, 25);
    app_build(&app, "agents.cl", "");
    make_world(&app, &w);

    size_t agent_bytes = (size_t)w.agent_count * sizeof(agent_t);
    size_t patch_bytes = (size_t)w.patch_count * sizeof(patch_t);
    cl_mem agents = app_buffer(&app, agent_bytes, w.agents);
    cl_mem patches = app_buffer(&app, patch_bytes, w.patches);
    cl_mem summary = app_buffer(&app, sizeof(w.summary), &w.summary);
    cl_kernel sum_agents = app_kernel(&app, "sum_agents");
    cl_kernel sum_patches = app_kernel(&app, "sum_patches");
    ARG(&app, sum_agents, 0, agents), ARG(&app, sum_agents, 1, summary);
    ARG(&app, sum_patches, 0, patches), ARG(&app, sum_patches, 1, summary);

    live(&app, &w, agents, patches);
    app_run(&app, sum_agents, (size_t)w.agent_count, 0);
    app_run(&app, sum_patches, (size_t)w.patch_count, 0);
    app_read(&app, agents, agent_bytes, w.agents);
    app_read(&app, patches, patch_bytes, w.patches);
    app_read(&app, summary, sizeof(w.summary), &w.summary);
    app_sum(&app, w.agents, agent_bytes);
    app_sum(&app, w.patches, patch_bytes);
    app_sum(&app, &w.summary, sizeof(w.summary));
    if (app.check)
        check_world(&app, &w);
    free(w.agents);
    free(w.patches);
    return app_close(&app);
}
