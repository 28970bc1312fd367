/* SPDX-License-Identifier: MIT */
/* The OpenCL device that the marshaling tests run on, and a dispatch table for the
 * library.
 *
 * DL_TEST_DEVICE, a part of the device's name, chooses one, which is printed; else the
 * first device of any platform. Without a device the program exits 77, without the one
 * that was named 1. */
#ifndef DL_TEST_DEVICE_H
#define DL_TEST_DEVICE_H

#include <CL/cl.h>
#include <CL/cl_icd.h>

struct device {
    cl_icd_dispatch cl;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
};

/* The device that is named, or the first of this type; NULL: there is none. */
cl_device_id device_find(cl_device_type type);
void device_open(struct device *device);
void device_close(struct device *device);
cl_command_queue device_queue_make(struct device *device,
                                   cl_command_queue_properties properties);

#endif
