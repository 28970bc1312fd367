/* SPDX-License-Identifier: MIT */
/* What a program that runs over the fault layer (fault_layer.c) may ask of it. The layer
 * is found by dlopen of the same file, so that a program can do without it. */
#ifndef FAULTS_FAULT_LAYER_H
#define FAULTS_FAULT_LAYER_H

#include <stdbool.h>

#include <CL/cl.h>

struct fault_layer {
    /* Counts calls anew, from 1. The `nth` of them returns `code` and never reaches the
     * driver; with `lasting`, so does every later call of the same function. 0: none. */
    void (*arm)(unsigned nth, cl_int code, bool lasting);
    /* While held, calls are neither counted nor failed. */
    void (*hold)(bool held);
    /* Calls counted since `arm`. */
    unsigned (*calls)(void);
    /* The function whose call failed, and which of its calls that was; NULL: none has
     * yet. */
    const char *(*fired)(unsigned *nth_of_name);
    /* Where the layer writes "FUNCTION N" as soon as a call fails, for whoever outlives a
     * crash. */
    void (*tell)(char *text, size_t bytes);
    /* Kernels launched since `arm`, while held, too. */
    unsigned (*launches)(void);
    /* The device is lost at the `nth` call from now, from 1, that is for one of its
     * queues: that one and all later ones fail. NULL: none is. */
    void (*lose)(cl_device_id device, unsigned nth);
};

/* Exported by the layer under this name. */
#define FAULT_LAYER_SYMBOL "fault_layer"

#endif
