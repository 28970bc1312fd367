/* Leaf tables. */
#include "layout.h"
