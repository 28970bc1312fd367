//DL: AoS: f[global_size(0)]
#include "include/kernel.h"
