# SPDX-License-Identifier: MIT
"""The sample agents in Python: one season after another, in which a kernel reads 12 of each agent's 128 bytes."""
import hashlib
import sys
import time

import numpy
import pyopencl as cl

count, steps = 1000000, 400
agents = numpy.arange(32, dtype="u4") * 2654435 + numpy.arange(count, dtype="u4")[:, None] * 40503

context = cl.Context(cl.get_platforms()[0].get_devices()[:1])
queue = cl.CommandQueue(context)
with open(sys.argv[1] if len(sys.argv) > 1 else "agents.cl", encoding="utf-8") as file:
    program = cl.Program(context, file.read()).build()
season = program.season
buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=agents)
start = time.monotonic()
for step in range(steps):
    season(queue, (count,), None, buffer, numpy.int32(count), numpy.int32(step))
    queue.finish()
seconds = time.monotonic() - start
cl.enqueue_copy(queue, agents, buffer)
print("checksum:", hashlib.sha256(agents).hexdigest()[:16])
print(f"time_s: {seconds:.3f}")
