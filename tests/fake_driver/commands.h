/* What the files with enqueue functions share. */
#ifndef FAKE_DRIVER_COMMANDS_H
#define FAKE_DRIVER_COMMANDS_H

#include <stdio.h>

#include "fake.h"

/* The driver's check of a queue and a wait list. Called with the lock. */
cl_int fake_check_queue(const char *function, cl_command_queue queue, cl_uint wait_count,
                        const cl_event *waits);
cl_int fake_check_mem(cl_command_queue queue, cl_mem mem, size_t offset, size_t bytes);
cl_int fake_check_image(cl_command_queue queue, cl_mem mem, const size_t *origin,
                        const size_t *region);

/* A piece of a buffer, or of host memory laid out like one. */
struct fake_rect {
    size_t origin[3], row, slice;
};
/* Origin 0 for NULL; pitches of 0 become those of `region`. false: the region is empty or
 * the pitches too small. */
bool fake_rect_make(const size_t *origin, const size_t *region, size_t row, size_t slice,
                    struct fake_rect *rect);
size_t fake_rect_end(const struct fake_rect *rect, const size_t *region);
void fake_command_rect(struct fake_command *command, const struct fake_rect *from,
                       const struct fake_rect *to, const size_t *region);
/* "w2 -> event#3" */
const char *fake_waits(cl_uint wait_count, const cl_event *event, cl_int status);

#endif
