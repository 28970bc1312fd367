/* SPDX-License-Identifier: MIT */
/* Runs calls.c as it was built: linked with the loader, or finding everything with
 * dlsym. */
#include "calls.h"

int main(void)
{
    calls_run();
    return 0;
}
