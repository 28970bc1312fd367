#pragma once
typedef struct {
    int x, y;
} pair;
#define PAIR_X(f, i) ((f)[i].x)
void pair_swap(__global pair *p)
{
    int x = p->x;

    p->x = p->y;
    p->y = x;
}
