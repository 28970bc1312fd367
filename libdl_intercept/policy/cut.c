/* SPDX-License-Identifier: MIT */
/* A minimum cut by shortest augmenting paths (Edmonds and Karp 1972), between a source, which stands for the layout
 * that the buffers are in, and a sink, which stands for the program's own. An edge from a device to the sink costs what
 * the device loses in the layout; one between two devices what their turns take where one runs as written. */
#include <string.h>

#include "numbers.h"

#include "cut.h"

static const double always = 1e30, nothing = 1e-15;

static unsigned source(const struct dl__cut *cut)
{
    return cut->count;
}

static unsigned sink(const struct dl__cut *cut)
{
    return cut->count + 1;
}

void dl__cut_begin(struct dl__cut *cut, unsigned count)
{
    cut->count = count;
    for (unsigned i = 0; i < count + 2; i++)
        memset(cut->edges[i], 0, (count + 2) * sizeof cut->edges[i][0]);
}

void dl__cut_loses(struct dl__cut *cut, unsigned device, double seconds)
{
    if (seconds > 0)
        cut->edges[device][sink(cut)] += seconds;
    else
        cut->edges[source(cut)][device] -= seconds;
}

void dl__cut_fix(struct dl__cut *cut, unsigned device, bool as_written)
{
    if (as_written)
        cut->edges[device][sink(cut)] = always;
    else
        cut->edges[source(cut)][device] = always;
}

void dl__cut_turns(struct dl__cut *cut, unsigned a, unsigned b, double one,
                   double neither)
{
    /* Half of it each pays that does not run as written, and the rest is between them. */
    double half = dl__min(neither / 2, one);

    dl__cut_loses(cut, a, half);
    dl__cut_loses(cut, b, half);
    cut->edges[a][b] += one - half;
    cut->edges[b][a] += one - half;
}

/* The nodes from which `to` is reached, by their next one; those that it is not have none. */
static void look_from(const struct dl__cut *cut, unsigned to, unsigned *next)
{
    unsigned nodes = cut->count + 2, seen = 0, found = 0, line[DL__CUT_NODES];

    for (unsigned n = 0; n < nodes; n++)
        next[n] = nodes;
    next[to] = to;
    line[found++] = to;
    while (seen < found) {
        unsigned at = line[seen++];

        for (unsigned n = 0; n < nodes; n++) {
            if (next[n] != nodes || cut->edges[n][at] <= nothing)
                continue;
            next[n] = at;
            line[found++] = n;
        }
    }
}

void dl__cut_choose(struct dl__cut *cut, bool *as_written)
{
    unsigned next[DL__CUT_NODES], none = cut->count + 2;

    for (look_from(cut, sink(cut), next); next[source(cut)] != none;
         look_from(cut, sink(cut), next)) {
        double flow = always;

        for (unsigned n = source(cut); n != sink(cut); n = next[n])
            flow = dl__min(flow, cut->edges[n][next[n]]);
        for (unsigned n = source(cut); n != sink(cut); n = next[n]) {
            cut->edges[n][next[n]] -= flow;
            cut->edges[next[n]][n] += flow;
        }
    }
    for (unsigned d = 0; d < cut->count; d++)
        as_written[d] = next[d] != none;
}
