/* SPDX-License-Identifier: MIT */
/* Sets the locale of its environment, as programs with windows do, and says whether it
 * has a decimal comma. */
#include <locale.h>
#include <stdio.h>

#include "work.h"

int main(void)
{
    setlocale(LC_ALL, "");
    printf("%.1f %lx\n", 1.5, guest_work(60));
    return 0;
}
