# SPDX-License-Identifier: MIT
"""The library through ctypes: where it is, its structs, and the OpenCL functions that it calls.

Those are pyopencl's own if it is imported, since its wheel may bring an OpenCL loader of its own: objects of one
loader must not be passed to another.
"""
import ctypes
import ctypes.util
import functools
import glob
import os
import sys
from ctypes import (POINTER, Structure, byref, c_char, c_char_p, c_double, c_int, c_size_t, c_uint, c_uint32,
                    c_uint64, c_void_p)

AXES_MAX = 8

# enum dl_transpose_number by numpy's dtype.str without its byte order.
NUMBERS = {"f2": 1, "f4": 2, "f8": 3, "c8": 5, "c16": 6}
CAPS = {None: 0, 0: 1, 1: 2, 12: 3, "any": 4, 6: 5}


class Problem(Structure):
    """struct dl_transpose_problem."""
    _fields_ = [
        ("struct_bytes", c_size_t), ("rows", c_uint64), ("cols", c_uint64), ("element_bytes", c_uint32),
        ("order", c_int), ("direction", c_int), ("batch", c_uint64), ("batch_stride", c_uint64),
        ("leading", c_uint64), ("leading_out", c_uint64), ("offset_bytes", c_uint64),
        ("buffer_bytes", c_uint64), ("algorithm", c_int), ("cap", c_int), ("cap_bytes", c_uint64),
        ("block_rows", c_uint32), ("tile_rows", c_uint32), ("tile_cols", c_uint32), ("reserved", c_uint32),
        ("place", c_int), ("conjugate", c_uint32), ("batch_stride_out", c_uint64),
        ("offset_out_bytes", c_uint64), ("buffer_out_bytes", c_uint64), ("axis_count", c_uint32),
        ("permutation", c_uint32 * AXES_MAX), ("reserved_axes", c_uint32),
        ("extents", c_uint64 * AXES_MAX), ("keep_between", c_uint32), ("number", c_int),
        ("scale", c_uint32), ("reserved_scale", c_uint32), ("alpha", c_double * 2), ("beta", c_double * 2),
        ("outer", c_uint64 * AXES_MAX), ("outer_out", c_uint64 * AXES_MAX)]


class Info(Structure):
    """struct dl_transpose_info."""
    _fields_ = [
        ("algorithm", c_int), ("workspace_bytes", c_uint64), ("passes", c_uint32), ("launches", c_uint32),
        ("matrix_bytes", c_uint64), ("block_rows", c_uint64), ("blocks", c_uint64), ("tile_rows", c_uint64),
        ("tile_cols", c_uint64), ("reserved", c_uint64 * 6)]


class ErrorText(Structure):
    """struct dl_transpose_error."""
    _fields_ = [("text", c_char * 200)]


class Error(RuntimeError):
    """An error of the library; `status` is its name, such as "DL_EINVAL"."""

    def __init__(self, status, text):
        super().__init__(f"{status}: {text}")
        self.status = status


# ---- the library ----

def _candidates():
    named = os.environ.get("DL_TRANSPOSE_LIBRARY")
    if named:
        return [named]
    here = os.path.dirname(os.path.abspath(__file__))
    name = "libdl_transpose.so.0.1"
    tree = os.path.join(here, "..", "..", "build", "lib", name)
    # Installed in PREFIX/lib/python3.N/site-packages/dl_transpose, the library in PREFIX/lib/x86_64-linux-gnu.
    prefix = os.path.join(here, "..", "..", "..", "..")
    found = ctypes.util.find_library("dl_transpose")
    return (glob.glob(os.path.join(here, "libdl_transpose.so.*")) + [tree] +
            [path for folder in ("lib", "lib64", os.path.join("lib", "*"))
             for path in glob.glob(os.path.join(prefix, folder, name))] + [name] + ([found] if found else []))


def _load():
    said = []
    for name in _candidates():
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            said.append(str(error))
    raise ImportError("dl_transpose does not find libdl_transpose: " + "; ".join(said) +
                      "; install DL, or set DL_TRANSPOSE_LIBRARY to the library's path")


library = _load()


def _declare(name, result, *arguments):
    function = getattr(library, name)
    function.restype, function.argtypes = result, arguments
    return function


_error = POINTER(ErrorText)
status_name = _declare("dl_status_name", c_char_p, c_int)
version = _declare("dl_transpose_version", c_int)
algorithm_name = _declare("dl_transpose_algorithm_name", c_char_p, c_int)
algorithm_find = _declare("dl_transpose_algorithm_find", c_int, c_char_p, POINTER(c_int))
make = _declare("dl_transpose_make", c_int, c_void_p, c_void_p, c_void_p, POINTER(c_void_p), _error)
free = _declare("dl_transpose_free", None, c_void_p)
plan_make = _declare("dl_transpose_plan_make", c_int, c_void_p, POINTER(Problem), POINTER(c_void_p), _error)
plan_free = _declare("dl_transpose_plan_free", None, c_void_p)
plan_info = _declare("dl_transpose_plan_info", None, c_void_p, POINTER(Info))
plan_explain = _declare("dl_transpose_plan_explain", c_size_t, c_void_p, c_char_p, c_size_t)
plan_allocate = _declare("dl_transpose_plan_allocate", c_int, c_void_p, _error)
enqueue = _declare("dl_transpose_enqueue", c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_uint,
                   POINTER(c_void_p), POINTER(c_void_p), POINTER(c_int), _error)
enqueue_out = _declare("dl_transpose_enqueue_out", c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_uint,
                       POINTER(c_void_p), POINTER(c_void_p), _error)


def check(function, *arguments):
    """Calls a function whose last argument is an error's text, and raises Error if it fails."""
    error = ErrorText()
    status = function(*arguments, byref(error))
    if status:
        raise Error(status_name(status).decode(), error.text.decode(errors="replace"))


# ---- the functions of OpenCL that the library calls ----

# Their places in CL/cl_icd.h's table, which is the same for all loaders and drivers.
DISPATCH = {
    "clGetDeviceInfo": 3, "clRetainCommandQueue": 10, "clReleaseCommandQueue": 11, "clGetCommandQueueInfo": 12,
    "clCreateBuffer": 14, "clReleaseMemObject": 18, "clGetMemObjectInfo": 20, "clCreateProgramWithSource": 26,
    "clReleaseProgram": 29, "clBuildProgram": 30, "clGetProgramBuildInfo": 33, "clCreateKernel": 34,
    "clReleaseKernel": 37, "clSetKernelArg": 38, "clGetKernelWorkGroupInfo": 40, "clGetEventInfo": 42,
    "clRetainEvent": 43, "clReleaseEvent": 44, "clEnqueueNDRangeKernel": 59, "clEnqueueMarkerWithWaitList": 105}
DISPATCH_LENGTH = 149


@functools.lru_cache(maxsize=None)
def _table(loader):
    functions, table = ctypes.CDLL(loader), (c_void_p * DISPATCH_LENGTH)()
    for name, place in DISPATCH.items():
        table[place] = ctypes.cast(getattr(functions, name), c_void_p)
    return table


def dispatch():
    """Returns the table for dl_transpose_make: of the loader that pyopencl is linked to, else of the machine's."""
    module = sys.modules.get("pyopencl._cl")
    return _table(module.__file__ if module else "libOpenCL.so.1")
