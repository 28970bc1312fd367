/* SPDX-License-Identifier: MIT */
/* What programs of random kernels share: chance, errors, a device, and a loop over seeds.
 */
#ifndef RANDOM_PROGRAMS_H
#define RANDOM_PROGRAMS_H

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>

extern cl_context context;
extern cl_device_id device;
extern cl_command_queue queue;

/* Begins anew, the same for the same seed of a kind of programs. */
void draw_from(uint32_t seed, uint32_t kind);
uint32_t below(uint32_t n);

/* Ends the program where a call fails. */
void must_at(cl_int err, int line);
#define must(call) must_at((call), __LINE__)

/* `PROGRAM FIRST COUNT [--text]`: a run for each seed, or its text alone. Returns 77
 * where there is no device. */
int random_programs(int argc, char **argv, void (*run)(uint32_t seed, bool text_alone));

#endif
