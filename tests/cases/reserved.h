#define DL_PRELUDE 1
