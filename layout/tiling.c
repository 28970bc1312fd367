/* Tilings: where a leaf lives. */
#include "layout.h"
