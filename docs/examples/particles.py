# SPDX-License-Identifier: MIT
"""The user's guide's program in Python: moves particles on the first OpenCL device."""
import sys

import numpy
import pyopencl as cl

particle = numpy.dtype([("position", "3f4"), ("velocity", "3f4"), ("colour", "4f4"),
                        *[(name, "f4") for name in "age mass charge radius spin phase".split()]])
count, steps = 100000, 10
particles = numpy.zeros(count, particle)
particles["velocity"] = numpy.arange(count)[:, None] % 100 - numpy.arange(3)

context = cl.Context(cl.get_platforms()[0].get_devices()[:1])
queue = cl.CommandQueue(context)
with open(sys.argv[1] if len(sys.argv) > 1 else "particles.cl", encoding="utf-8") as file:
    program = cl.Program(context, file.read()).build()
move = program.move
buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=particles)
for step in range(steps):
    move(queue, (count,), None, buffer, numpy.int32(count), numpy.float32(0.01))
cl.enqueue_copy(queue, particles, buffer)
print(f"{count} particles, {steps} steps, sum of x: {particles['position'][:, 0].sum(dtype='f8'):.3f}")
