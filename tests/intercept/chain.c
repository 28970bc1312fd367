/* SPDX-License-Identifier: MIT */
/* One of a chain of libraries whose dlsym_chain calls the next one's through RTLD_NEXT.
 * It has a function of an OpenCL name as well, which DL exports too, and looks for the
 * next one's. Built twice, with LINK 1 and 2. */
#include <dlfcn.h>
#include <string.h>

int clRetainProgram(void);
int clRetainProgram(void)
{
    return LINK;
}

static int call(void *address)
{
    int (*function)(void);

    if (!address)
        return 0;
    memcpy(&function, &address, sizeof address);
    return function();
}

int dlsym_chain(void);
int dlsym_chain(void)
{
    return LINK + 10 * call(dlsym(RTLD_NEXT, "clRetainProgram")) +
           100 * call(dlsym(RTLD_NEXT, "dlsym_chain"));
}
