/* SPDX-License-Identifier: MIT */
/* What dlsym gives, printed: RTLD_NEXT along a chain of libraries, RTLD_DEFAULT, handles,
 * versions, errors, and the names that DL exports in objects that are no OpenCL
 * loader. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int dlsym_chain(void);
/* A name of OpenCL's that this program has itself. */
__attribute__((visibility("default"))) int clCreateBuffer(void);
int clCreateBuffer(void)
{
    return 1;
}

static const char *file_of(const void *address)
{
    Dl_info info;
    const char *slash;

    if (!address || !dladdr(address, &info) || !info.dli_fname)
        return "nowhere";
    slash = strrchr(info.dli_fname, '/');
    return slash ? slash + 1 : info.dli_fname;
}

static void show(void *handle, const char *what, const char *name)
{
    const char *error;
    void *found;

    dlerror();
    found = dlsym(handle, name);
    error = dlerror();
    printf("%s %s: %s, %s\n", what, name, file_of(found), error ? error : "no error");
}

int main(int argc, char **argv)
{
    void *self = dlopen(NULL, RTLD_NOW);
    void *math = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
    void *driver = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW | RTLD_LOCAL);

    printf("chain %d\n", dlsym_chain());
    show(RTLD_DEFAULT, "default", "printf");
    show(RTLD_DEFAULT, "default", "no_such_symbol");
    show(RTLD_NEXT, "next", "printf");
    show(RTLD_NEXT, "next", "main");
    show(self, "self", "dlsym_chain");
    show(self, "self", "clNoSuch");
    show(self, "self", "clCreateBuffer");
    show(math, "math", "cos");
    show(math, "math", "clReleaseEvent");
    show(driver, "driver", "clGetExtensionFunctionAddress");
    show(driver, "driver", "clGetPlatformInfo");
    show(driver, "driver", "clNoSuch");
    show(RTLD_DEFAULT, "default", "cos");
    return 0;
}
