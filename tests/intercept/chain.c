/* One of a chain of libraries whose LINK_dlsym_chain calls the next one's through
 * RTLD_NEXT, and which finds its neighbours in several ways. Built twice, with LINK 1
 * and 2. */
#include <dlfcn.h>
#include <string.h>

int dlsym_chain(void);
int dlsym_chain(void)
{
    void *next = dlsym(RTLD_NEXT, "dlsym_chain");
    int (*function)(void);

    if (!next)
        return LINK;
    memcpy(&function, &next, sizeof next);
    return LINK * 10 + function();
}
