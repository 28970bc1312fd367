# SPDX-License-Identifier: MIT
"""Claim: dl_transpose's transpose() does what numpy's does, in place and out of place, for all axes, types, orders and
pitches, with events; what is wrong is an exception and changes nothing; structs are the header's; and the
library calls OpenCL by pyopencl's own loader, whichever that is."""
import ctypes
import itertools
import random
import sys

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

import dl_transpose
from dl_transpose import _native

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
rng = np.random.default_rng(int(sys.argv[2]) if len(sys.argv) > 2 else 7)
random.seed(7)
checks = 0


def numbers(shape, dtype, order="C"):
    count = int(np.prod(shape, dtype=int)) * np.dtype(dtype).itemsize
    return np.asarray(rng.integers(0, 256, count, dtype=np.uint8).view(dtype).reshape(shape), order=order)


def same(got, want, what):
    global checks
    checks += 1
    assert got.shape == want.shape, (what, got.shape, want.shape)
    got, want = np.ascontiguousarray(got), np.ascontiguousarray(want)
    assert got.tobytes() == want.tobytes(), what


def raises(kind, says, function, *arguments, **named):
    global checks
    checks += 1
    try:
        function(*arguments, **named)
    except kind as error:
        assert says in str(error), str(error)
        return error
    raise AssertionError(f"no {kind.__name__} that says {says}")


def shapes_and_axes():
    particle = np.dtype([("x", "f4", 3), ("id", "u1")])
    for dtype in "u1", "i2", "f4", "f8", "c16", particle:
        yield (17, 31), None, dtype
    yield (40, 40), None, "i4"
    for axes in itertools.permutations(range(3)):
        yield (5, 12, 9), axes, "f4"
    yield (3, 7, 11), (0, 2, 1), "f8"  # a batch
    yield (3, 2, 4, 5, 2), (4, -2, 0, 2, 1), "i2"
    yield (9,), None, "i4"
    yield (), None, "i4"
    yield (0, 4), None, "f4"


def in_place_and_out():
    for (shape, axes, dtype), order in itertools.product(shapes_and_axes(), "CF"):
        host = numbers(shape, dtype, order)
        what = shape, axes, dtype, order
        want = host.transpose(axes)
        array = cla.to_device(queue, host)
        out = cla.Array(queue, want.shape, host.dtype, order=order)
        result = dl_transpose.transpose(queue, array, axes, out=out)
        assert result is out
        same(out.get(), want, what)
        same(array.get(), host, what)
        result = dl_transpose.transpose(queue, array, axes)
        assert result.base_data is array.base_data
        same(result.get(), want, what)


def numbers_are_scaled():
    host = (rng.standard_normal((20, 33)) + 1j * rng.standard_normal((20, 33))).astype("c8")
    had = host.T[::-1].copy()
    out = cla.to_device(queue, had)
    array = cla.to_device(queue, host)
    dl_transpose.transpose(queue, array, out=out, conjugate=True, alpha=2 - 1j, beta=.5)
    assert np.allclose(out.get(), (2 - 1j) * host.conj().T + .5 * had, rtol=1e-5)
    same(dl_transpose.transpose(queue, array, conjugate=True).get(), host.conj().T, "conjugates in place")
    real = cla.to_device(queue, host.real.copy())
    same(dl_transpose.transpose(queue, real, alpha=3).get(), host.real.T * np.float32(3), "alpha in place")
    raises(ValueError, "alpha is complex", dl_transpose.transpose, queue, real, alpha=1j)
    raises(ValueError, "array is of int32, but alpha and beta need floating-point", dl_transpose.transpose, queue, cla.to_device(queue, np.zeros((2, 3), "i4")), alpha=2)
    raises(dl_transpose.Error, "beta must be 0 in place", dl_transpose.transpose, queue, real, alpha=2, beta=1)


def lines_with_a_pitch():
    wide, tall = numbers((12, 40), "f4"), numbers((30, 25), "f4")
    source, target = cla.to_device(queue, wide), cla.to_device(queue, tall)
    dl_transpose.transpose(queue, source[:, :30], out=target[:, :12])
    want = tall.copy()
    want[:, :12] = wide[:, :30].T
    same(target.get(), want, "nothing between the lines changes")
    raises(ValueError, "one after the other: copy it, or give out=", dl_transpose.transpose, queue, source[:, :30])
    raises(ValueError, "its lines must be one distance apart", dl_transpose.transpose, queue, source[:, ::2])
    # A part that begins later.
    part = cla.to_device(queue, wide)[3:]
    same(dl_transpose.transpose(queue, part).get(), wide[3:].T, "an offset")


def events_are_kept():
    host = numbers((211, 307), "i4")
    out_of_order = cl.CommandQueue(context, properties=cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE)
    gate = cl.UserEvent(context)
    array = cla.to_device(queue, host)
    result = dl_transpose.transpose(out_of_order, array, wait_for=[gate], cap="any")
    back = dl_transpose.transpose(out_of_order, result, cap="any")  # waits for the result's event
    event = back.events[-1]
    out_of_order.flush()
    assert event.command_execution_status != cl.command_execution_status.COMPLETE
    gate.set_status(cl.command_execution_status.COMPLETE)
    event.wait()
    same(back.get(queue), host, "there and back, out of order")


def what_is_wrong_is_said():
    host = numbers((20, 30), "f4")
    array = cla.to_device(queue, host)
    transpose = dl_transpose.transpose
    raises(ValueError, "axes is (0, 0), not a permutation of the 2 axes", transpose, queue, array, axes=(0, 0))
    raises(ValueError, "axes is (7, 2), not a permutation", transpose, queue, array, axes=(7, 2))
    raises(ValueError, "bytes are not in this machine's order", transpose, queue,
           cla.to_device(queue, np.ones((3, 4), np.dtype("f4").newbyteorder())), alpha=2)
    raises(ValueError, "out is (20, 30) of float32, but must be (30, 20)", transpose, queue, array, out=array)
    raises(ValueError, "no algorithm is named 'fastest'", transpose, queue, array, algorithm="fastest")
    raises(ValueError, "cap is 7", transpose, queue, array, cap=7)
    raises(ValueError, "both be row-major or both column-major", transpose, queue, array, out=cla.Array(queue, (30, 20), "f4", order="F"))
    square = cla.to_device(queue, numbers((20, 20), "f4"))
    error = raises(dl_transpose.Error, "overlap", transpose, queue, square, out=square)
    assert error.status == "DL_EINVAL", error.status
    raises(dl_transpose.Error, "DL_ENOTSUP", transpose, queue, array, algorithm="square")
    raises(TypeError, "array is a numpy.ndarray, not an array on the device: pyopencl.array.to_device", transpose, queue, host)
    raises(TypeError, "out is a numpy.ndarray, not an array on the device", transpose, queue, array, out=host.T)
    raises(TypeError, "queue is a pyopencl._cl.Context, not a queue", transpose, context, array)
    for axes in 1, "10", (1.0, 0):
        raises(TypeError, f"axes is {axes!r}, not a sequence of 2 integers, such as (1, 0)", transpose, queue, array, axes=axes)
    raises(TypeError, "wait_for is a int, not a list of events", transpose, queue, array, wait_for=3)
    same(array.get(), host, "nothing changed")
    plan = dl_transpose.Library(context, queue.device).plan
    raises(TypeError, "no field", plan, speed=3)
    raises(ValueError, "rows is -4, which is negative", plan, rows=-4, cols=3, element_bytes=4)
    raises(ValueError, "element_bytes is 4294967300, which is too large", plan, rows=4, cols=3, element_bytes=2 ** 32 + 4)
    raises(TypeError, "cols is 3.5, not an integer", plan, rows=4, cols=3.5, element_bytes=4)
    raises(ValueError, "extents is -3, which is negative", plan, axis_count=2, extents=(4, -3), permutation=(1, 0), element_bytes=4)
    raises(TypeError, "permutation is 1, not a list of at most 8", plan, axis_count=2, extents=(4, 3), permutation=1, element_bytes=4)
    by_hand = plan(rows=20, cols=30, element_bytes=4)
    raises(TypeError, "buffer is a str, neither an object of pyopencl nor a handle", by_hand.enqueue, queue, "x")
    raises(TypeError, "buffer is a numpy.ndarray, neither", by_hand.enqueue, queue, host)


def plans_by_hand():
    library = dl_transpose.Library(context, queue.device)
    plan = library.plan(rows=100, cols=90, element_bytes=4, algorithm="c2r")
    assert plan.info["algorithm"] == "c2r" and plan.info["matrix_bytes"] == 36000, plan.info
    assert plan.explain().startswith("c2r: "), plan.explain()
    del library  # the plan keeps it
    host = numbers((100, 90), "f4")
    buffer = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=host)
    plan.enqueue(queue, buffer).wait()
    got = np.empty((90, 100), "f4")
    cl.enqueue_copy(queue, got, buffer)
    same(got, host.T, "by hand")
    # Handles alone.
    plan.enqueue(queue.int_ptr, buffer.int_ptr).wait()


def layouts_agree(path):
    """With what a C compiler makes of the headers."""
    seen = dict(line.split() for line in open(path))
    for struct, name in (_native.Problem, "problem"), (_native.Info, "info"), (_native.ErrorText, "error"):
        assert ctypes.sizeof(struct) == int(seen[f"{name}"]), name
        for field, _ in struct._fields_:
            assert getattr(struct, field).offset == int(seen[f"{name}.{field}"]), (name, field)
    for function, place in _native.DISPATCH.items():
        assert place == int(seen[function]), function
    assert _native.DISPATCH_LENGTH == int(seen["dispatch"])
    assert dl_transpose.version() == tuple(map(int, seen["version"].split("."))), dl_transpose.version()


def loader_is_pyopencls():
    """Each function in the table lies in the loader that pyopencl's module is linked to."""
    class Where(ctypes.Structure):
        _fields_ = [("name", ctypes.c_char_p), ("base", ctypes.c_void_p), ("symbol", ctypes.c_char_p),
                    ("at", ctypes.c_void_p)]
    dladdr = ctypes.CDLL(None).dladdr
    dladdr.argtypes = ctypes.c_void_p, ctypes.POINTER(Where)
    files = set()
    for place in _native.DISPATCH.values():
        where = Where()
        assert dladdr(_native.dispatch()[place], ctypes.byref(where))
        files.add(where.name.decode())
    assert len(files) == 1, files
    own = ctypes.CDLL(sys.modules["pyopencl._cl"].__file__).clEnqueueNDRangeKernel
    where = Where()
    dladdr(ctypes.cast(own, ctypes.c_void_p), ctypes.byref(where))
    assert where.name.decode() in files
    print("loader", files.pop())


in_place_and_out()
numbers_are_scaled()
lines_with_a_pitch()
events_are_kept()
what_is_wrong_is_said()
plans_by_hand()
layouts_agree(sys.argv[1])
loader_is_pyopencls()
print(checks, "checks")
