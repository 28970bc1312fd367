/* SPDX-License-Identifier: MIT */
/* OpenCL on this machine: loader, drivers, devices, and whether the loader takes layers.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CL/cl.h>

#include "doctor.h"
#include "finding.h"

#define LOADER "libOpenCL.so.1"

enum { NAME_BYTES = 256, PLATFORMS_MAX = 32, DEVICES_MAX = 64 };

/* What is called of the loader, by the types of the headers. */
struct opencl {
    __typeof__(clGetPlatformIDs) *clGetPlatformIDs;
    __typeof__(clGetPlatformInfo) *clGetPlatformInfo;
    __typeof__(clGetDeviceIDs) *clGetDeviceIDs;
    __typeof__(clGetDeviceInfo) *clGetDeviceInfo;
};

static bool find_functions(void *loader, struct opencl *cl)
{
#define FIND(name) *(void **)&cl->name = dlsym(loader, #name)
    FIND(clGetPlatformIDs);
    FIND(clGetPlatformInfo);
    FIND(clGetDeviceIDs);
    FIND(clGetDeviceInfo);
#undef FIND
    return cl->clGetPlatformIDs && cl->clGetPlatformInfo && cl->clGetDeviceIDs &&
           cl->clGetDeviceInfo;
}

/* ---- drivers ---- */

static void check_icd(const char *path)
{
    char library[PATH_MAX] = "";
    FILE *file = fopen(path, "re");

    if (file) {
        if (!fgets(library, sizeof library, file))
            *library = '\0';
        fclose(file);
    }
    library[strcspn(library, " \t\r\n")] = '\0';
    if (*library && !dlopen(library, RTLD_LAZY | RTLD_LOCAL))
        finding_print(
            FINDING_WRONG, "driver",
            "%s names a driver that can't be loaded: %s; install the driver again "
            "or remove the file",
            path, dlerror());
}

static int ends_in_icd(const struct dirent *item)
{
    size_t bytes = strlen(item->d_name);

    return bytes > 4 && strcmp(item->d_name + bytes - 4, ".icd") == 0;
}

/* returns where drivers were looked for */
static const char *check_icds(void)
{
    const char *folder = getenv("OCL_ICD_VENDORS");
    struct dirent **items = NULL;
    char path[PATH_MAX];
    struct stat info;
    int count;

    if (!folder || !*folder)
        folder = getenv("OPENCL_VENDOR_PATH");
    if (!folder || !*folder)
        folder = "/etc/OpenCL/vendors";
    if (stat(folder, &info) == 0 && !S_ISDIR(info.st_mode)) {
        check_icd(folder);
        return folder;
    }
    count = scandir(folder, &items, ends_in_icd, alphasort);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, items[i]->d_name);
        check_icd(path);
        free(items[i]);
    }
    free(items);
    return folder;
}

/* ---- devices ---- */

static void print_device(const struct opencl *cl, cl_device_id device)
{
    char name[NAME_BYTES] = "", version[NAME_BYTES] = "", driver[NAME_BYTES] = "";
    cl_bool available = CL_TRUE, compiler = CL_TRUE;
    cl_device_type type = 0;

    cl->clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    cl->clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version - 1, version, NULL);
    cl->clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof driver - 1, driver, NULL);
    cl->clGetDeviceInfo(device, CL_DEVICE_AVAILABLE, sizeof available, &available, NULL);
    cl->clGetDeviceInfo(device, CL_DEVICE_COMPILER_AVAILABLE, sizeof compiler, &compiler,
                        NULL);
    cl->clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    if (!available || !compiler)
        finding_print(FINDING_WRONG, "device", "%s: %s", name,
                      available
                          ? "its driver has no compiler, so DL can't rewrite kernels: "
                            "install the driver's compiler or take another device"
                          : "it is not available: other programs may hold it");
    else
        finding_print(FINDING_GOOD, "device", "%s (%s, %s, driver %s)", name,
                      type & CL_DEVICE_TYPE_GPU   ? "GPU"
                      : type & CL_DEVICE_TYPE_CPU ? "CPU"
                                                  : "neither GPU nor CPU",
                      version, driver);
}

static void print_platform(const struct opencl *cl, cl_platform_id platform)
{
    char name[NAME_BYTES] = "", version[NAME_BYTES] = "";
    cl_device_id devices[DEVICES_MAX];
    cl_uint count = 0;

    cl->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
    cl->clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof version - 1, version,
                          NULL);
    if (cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES_MAX, devices, &count) !=
            CL_SUCCESS ||
        count == 0) {
        finding_print(FINDING_NOTE, "platform", "%s (%s) has no device", name, version);
        return;
    }
    finding_print(FINDING_GOOD, "platform", "%s (%s)", name, version);
    for (cl_uint i = 0; i < count && i < DEVICES_MAX; i++)
        print_device(cl, devices[i]);
}

/* The machine's; else that in pyopencl's package where pip has put DL beside it:
 * PREFIX/lib/dl and PREFIX/lib/python3.N, or by pip's --target PREFIX. NULL: none, and
 * `why` says why not the machine's. */
static void *open_loader(const struct doctor *doctor, char why[NAME_BYTES])
{
    void *loader = dlopen(LOADER, RTLD_NOW | RTLD_LOCAL);
    char pattern[PATH_MAX + 96];
    glob_t found;

    if (loader)
        return loader;
    snprintf(why, NAME_BYTES, "%s", dlerror());
    snprintf(pattern, sizeof pattern,
             "%.*s/../{python3*/*-packages,..}/pyopencl/.libs/*.so*",
             (int)(strrchr(doctor->library, '/') - doctor->library), doctor->library);
    if (glob(pattern, GLOB_BRACE, NULL, &found) != 0)
        return NULL;
    /* Drivers of PyPI lie there, too. pyopencl's loader finds them by what pyopencl
     * brings: a variable that names their folder, without which it crashes, and a search
     * path. */
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *path = found.gl_pathv[i];
        void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);

        if (strstr(path, "/.libs/libOpenCL"))
            loader = library;
        *strstr(path, "/.libs/") = '\0';
        setenv("PYOPENCL_HOME", path, 1);
    }
    globfree(&found);
    if (loader)
        finding_print(
            FINDING_NOTE, "loader",
            "only pyopencl has one; for programs that are not in Python install "
            "another (ocl-icd-libopencl1 on Debian)");
    return loader;
}

static void look(const struct doctor *doctor)
{
    char why[NAME_BYTES];
    void *loader = open_loader(doctor, why);
    cl_platform_id platforms[PLATFORMS_MAX];
    struct opencl cl;
    struct link_map *map;
    const char *folder;
    cl_uint count = 0;

    if (!loader || !find_functions(loader, &cl)) {
        finding_print(
            FINDING_WRONG, "loader",
            "OpenCL's library can't be loaded: %s; install one (ocl-icd-libopencl1 "
            "on Debian)",
            loader ? LOADER " lacks functions" : why);
        return;
    }
    finding_print(FINDING_GOOD, "loader", "%s",
                  dlinfo(loader, RTLD_DI_LINKMAP, &map) == 0 ? map->l_name : LOADER);
    if (cl.clGetPlatformIDs(PLATFORMS_MAX, platforms, &count) != CL_SUCCESS)
        count = 0;
    for (cl_uint i = 0; i < count && i < PLATFORMS_MAX; i++)
        print_platform(&cl, platforms[i]);
    folder = check_icds();
    if (count == 0)
        finding_print(FINDING_WRONG, "driver",
                      "the loader finds no OpenCL driver (it looks in %s): install one "
                      "(your GPU's, or pocl-opencl-icd for the CPU)",
                      folder);
}

/* ---- layers ---- */

static bool file_has(const char *path, const char *words)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    bool found = false;

    while (file && !found && getline(&line, &room, file) >= 0)
        found = strstr(line, words) != NULL;
    if (file)
        fclose(file);
    free(line);
    return found;
}

/* The loader is offered DL as a layer; DL's own report tells whether it came in. */
static void look_with_layer(const struct doctor *doctor)
{
    setenv("OPENCL_LAYERS", doctor->library, 1);
    setenv("DL_LOG", "quiet", 1);
    look(doctor);
}

void doctor_check_opencl(const struct doctor *doctor)
{
    char *before = getenv("DL_REPORT") ? strdup(getenv("DL_REPORT")) : NULL;
    char *report = doctor_begin_report();
    unsigned wrong = finding_wrong_count();

    doctor_in_child("OpenCL", look_with_layer, doctor);
    if (report && file_has(report, "caught as layer"))
        finding_print(FINDING_GOOD, "layers",
                      "the loader takes them, so --layer works, too");
    else if (report && wrong == finding_wrong_count())
        finding_print(doctor->layer ? FINDING_WRONG : FINDING_NOTE, "layers",
                      "the loader does not take them, so --layer has no effect: %s",
                      doctor->layer ? "leave --layer out, or use ocl-icd 2.3 or later"
                                    : "DL comes in by LD_PRELOAD alone");
    if (report)
        unlink(report);
    free(report);
    unsetenv("DL_REPORT");
    if (before)
        setenv("DL_REPORT", before, 1);
    free(before);
}
