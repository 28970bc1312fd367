/* Between the files through which calls arrive: bootstrap.c, environment.c, layer.c,
 * entries.c and extensions.c. Nothing here is for the hooks. */
#ifndef DL_INTERCEPT_BOOTSTRAP_H
#define DL_INTERCEPT_BOOTSTRAP_H

#include <stdbool.h>

#include <CL/cl.h>
#include <CL/cl_icd.h>

/* How the exported symbols treat a call. */
enum dl__route {
    DL__ROUTE_UNDECIDED,
    DL__ROUTE_LAYER,  /* the loader has us as a layer: pass the call to the loader */
    DL__ROUTE_PRELOAD /* it has not: the hook does the work */
};

/* ---- bootstrap.c ---- */

/* Decides once and for all. `caller` as for dl__loader_find. Asks the loader for its
 * platforms when nothing did yet, since that is what makes loaders take their layers. */
enum dl__route dl__route_decide(const void *caller);

/* The program's own clGetPlatformIDs has come back from the function `real` of a loader;
 * before it went there the exported symbol cleared dl__layer_passed. */
void dl__route_platforms_called(const void *caller, const void *real);

/* Says once at debug level how the program was caught. */
void dl__route_announce(enum dl__route route);

/* ---- environment.c ---- */

/* Puts this library in front of OPENCL_LAYERS: loaders take the first as the one nearest
 * to the driver, so that the user's own layers see the program's calls as ever. */
void dl__environment_insert(void);

/* Puts OPENCL_LAYERS back as it was.
 *   returns  false: the entry came from a parent process that was preloaded, and this
 * process is not, so nobody asked for DL here */
bool dl__environment_restore(void);

/* ---- layer.c ---- */

/* Whether this thread's latest call of a loader's clGetPlatformIDs came through the
 * layer, and forgetting it. */
extern _Thread_local bool dl__layer_passed;

/* The handle of the layer whose entry points this thread's loader has just looked up, NULL when
 * that is this library (dlsym.c). */
extern _Thread_local void *dl__layer_looked_up;

/* Whether `name` is one of a layer's entry points. */
bool dl__layer_has_entry(const char *name);

/* Whether the loader that holds `address` has taken us as a layer. */
bool dl__layer_is_in(const void *address);

/* ---- entries.c ---- */

/* The exported symbol of that name, NULL when there is none. */
void *dl__entry_find(const char *name);

#endif
