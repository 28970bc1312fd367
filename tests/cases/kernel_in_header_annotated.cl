// run: go structs
#include "include/annotated_kernel.h"
