#ifndef CELL_H
#define CELL_H
struct cell {
    float x;
    int k[2];
};
#define CELLS(n) (n)
#define CELL_STEP 2.0f
#define CELL_X(f, i) ((f)[i].x)
#endif
