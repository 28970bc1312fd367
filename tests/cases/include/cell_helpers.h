#pragma once
#include "cell.h"
#define STEP(p) ((p)->x)
inline float cell_bump(__global struct cell *p, int k)
{
    STEP(p) += 1.0f;
    return STEP(p) + p->k[k];
}
