/* SPDX-License-Identifier: MIT */
/* Opens calls.c as a plug-in, argv[1], whose OpenCL the program itself does not link:
 * RTLD_LOCAL, or RTLD_DEEPBIND when argv[2] says "deepbind". */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int deep = argc > 2 && strcmp(argv[2], "deepbind") == 0 ? RTLD_DEEPBIND : 0;
    void *plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL | deep) : NULL;
    void *function = plugin ? dlsym(plugin, "calls_run") : NULL;
    void (*run)(void);

    if (!function) {
        fprintf(stderr, "host_plugin: %s\n", dlerror());
        return 1;
    }
    memcpy(&run, &function, sizeof run);
    run();
    return 0;
}
