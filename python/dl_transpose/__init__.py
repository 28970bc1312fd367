# SPDX-License-Identifier: MIT
"""Transposes arrays in OpenCL buffers, in place and out of place, with libdl_transpose.

    turned = dl_transpose.transpose(queue, array)                 # in place: do not use `array` any more
    dl_transpose.transpose(queue, array, out=other, axes=(2, 0, 1))

`queue`, arrays, buffers and events are pyopencl's; Library and Plan also take integers that are OpenCL
handles, for other bindings. An Error says what the library refuses, a ValueError what can't be passed to it.
"""
import ctypes
import operator
import sys
import threading
from collections import OrderedDict

from . import _native
from ._native import Error

__all__ = ["Error", "Library", "Plan", "transpose", "version"]
PLANS_MAX = 64


def version():
    """Returns the library's version, such as (0, 1, 0)."""
    number = _native.version()
    return number // 1000000, number // 1000 % 1000, number % 1000


def _handle(thing, what):
    handle = getattr(thing, "int_ptr", thing)
    try:
        return operator.index(handle)
    except TypeError:
        raise TypeError(f"{what} is a {_type(thing)}, neither an object of pyopencl nor a handle") from None


def _type(thing):
    kind = type(thing)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def _events(wait_for):
    if not hasattr(wait_for or (), "__iter__"):
        raise TypeError(f"wait_for is a {_type(wait_for)}, not a list of events")
    return list(wait_for or ())


def _checked(name, kind, value):
    """Returns a field's value, checked: ctypes would silently cut off a value that does not fit."""
    try:
        held = kind(value).value
    except TypeError:
        raise TypeError(f"{name} is {value!r}, not {'a number' if kind is ctypes.c_double else 'an integer'}") from None
    if kind is not ctypes.c_double and held != value:
        raise ValueError(f"{name} is {value}, which is {'negative' if value < 0 else 'too large'}")
    return value


def _event_of(handle):
    """Returns pyopencl's event, which now owns the handle; without pyopencl the handle."""
    pyopencl = sys.modules.get("pyopencl")
    return pyopencl.Event.from_int_ptr(handle, retain=False) if pyopencl else handle


class Library:
    """The kernels for a context and a device, both of which it keeps alive."""

    def __init__(self, context, device):
        self._handle = ctypes.c_void_p()
        self._dispatch = _native.dispatch()  # borrowed by the object
        self.context, self.device = context, device
        _native.check(_native.make, self._dispatch, _handle(context, "context"),
                      _handle(device, "device"), ctypes.byref(self._handle))

    def __del__(self):
        if getattr(self, "_handle", None) and _native:
            _native.free(self._handle)

    def plan(self, **fields):
        """Makes a plan; `fields` are those of struct dl_transpose_problem, and `algorithm` may be a name."""
        return Plan(self, fields)


class Plan:
    """A problem with its algorithm, and a workspace of its own. Executions of one plan in place must follow one
    another: on one in-order queue, or by events."""

    def __init__(self, library, fields):
        problem = _native.Problem(struct_bytes=ctypes.sizeof(_native.Problem))
        self._handle = ctypes.c_void_p()
        self._library = library  # must outlive this
        for name, value in fields.items():
            if name == "algorithm" and isinstance(value, str):
                found = ctypes.c_int()
                if _native.algorithm_find(value.encode(), ctypes.byref(found)):
                    raise ValueError(f"no algorithm is named {value!r}; dl-bench transpose --algorithms help "
                                     "lists the names")
                value = found.value
            kind = dict(_native.Problem._fields_).get(name)
            if kind is None:
                raise TypeError(f"a problem has no field {name!r}")
            if not hasattr(kind, "_length_"):
                setattr(problem, name, _checked(name, kind, value))
            elif not isinstance(value, (tuple, list)) or len(value) > kind._length_:
                raise TypeError(f"{name} is {value!r}, not a list of at most {kind._length_} numbers")
            else:
                getattr(problem, name)[:len(value)] = [_checked(name, kind._type_, one) for one in value]
        _native.check(_native.plan_make, library._handle, ctypes.byref(problem), ctypes.byref(self._handle))
        _native.check(_native.plan_allocate, self._handle)

    def __del__(self):
        if getattr(self, "_handle", None) and _native:
            _native.plan_free(self._handle)

    @property
    def info(self):
        """The plan's costs: algorithm, passes, launches, workspace_bytes, matrix_bytes."""
        info = _native.Info()
        _native.plan_info(self._handle, ctypes.byref(info))
        return {"algorithm": _native.algorithm_name(info.algorithm).decode(), "passes": info.passes,
                "launches": info.launches, "workspace_bytes": info.workspace_bytes,
                "matrix_bytes": info.matrix_bytes}

    def explain(self):
        """Returns a sentence that says which algorithm was chosen and why."""
        text = ctypes.create_string_buffer(2000)
        _native.plan_explain(self._handle, text, len(text))
        return text.value.decode()

    def enqueue(self, queue, buffer, out=None, wait_for=None):
        """Enqueues the transposition of `buffer`, in place or to `out`; returns its event."""
        waits = [_handle(event, "an event of wait_for") for event in _events(wait_for)]
        list_of = (ctypes.c_void_p * len(waits))(*waits) if waits else None
        event = ctypes.c_void_p()
        if out is None:
            _native.check(_native.enqueue, self._handle, _handle(queue, "queue"), _handle(buffer, "buffer"), None,
                          len(waits), list_of, ctypes.byref(event), None)
        else:
            _native.check(_native.enqueue_out, self._handle, _handle(queue, "queue"), _handle(buffer, "buffer"),
                          _handle(out, "out"), len(waits), list_of, ctypes.byref(event))
        return _event_of(event.value)


# ---- arrays ----

class _Kept:
    """Libraries by context and device, and the plans used last, each with the event of its last use."""

    def __init__(self):
        self.lock = threading.Lock()
        self.libraries = {}
        self.plans = OrderedDict()

    def library(self, queue):
        context, device = queue.context, queue.device
        key = context.int_ptr, device.int_ptr
        if key not in self.libraries:
            self.libraries[key] = Library(context, device)
        return self.libraries[key]

    def plan(self, queue, fields):
        """Returns [plan, event of its last use]. A queue has plans of its own, so that no two share a workspace."""
        library = self.library(queue)
        key = id(library), queue.int_ptr, tuple(sorted(fields.items()))
        if key not in self.plans:
            # The queue is kept, so that no other gets its number.
            self.plans[key] = [Plan(library, fields), None, queue]
            if len(self.plans) > PLANS_MAX:
                self.plans.popitem(last=False)
        self.plans.move_to_end(key)
        return self.plans[key]


_kept = _Kept()


def _lines(array, name):
    """Returns whether the array is column-major, and the distance between lines in elements; 0: it is dense."""
    size, strides, shape = array.dtype.itemsize, array.strides, array.shape
    if array.size <= 1 or array.flags.c_contiguous:
        return False, 0
    if array.flags.f_contiguous:
        return True, 0
    leading = strides[-2] // size if array.ndim > 1 else 0
    expected = [size]
    for axis in range(array.ndim - 1, 0, -1):
        expected.insert(0, leading * size if axis == array.ndim - 1 else expected[0] * shape[axis])
    if array.ndim < 2 or list(strides) != expected or strides[-2] % size or leading < shape[-1]:
        raise ValueError(f"{name} has strides of {strides}, but its lines must be one distance apart: copy it first")
    return False, leading


def _numbers(array, fields, conjugate, alpha, beta):
    kind = array.dtype.str[1:]
    if conjugate and array.dtype.kind == "c":
        fields.update(conjugate=1, number=_native.NUMBERS.get(kind, 0))
    if not array.dtype.isnative and (array.dtype.kind == "c" and conjugate or (alpha, beta) != (1, 0)):
        raise ValueError(f"array is of {array.dtype}, whose bytes are not in this machine's order: it can only be moved")
    if alpha == 1 and beta == 0:
        return
    if kind not in _native.NUMBERS:
        raise ValueError(f"array is of {array.dtype}, but alpha and beta need floating-point or complex numbers")
    fields.update(number=_native.NUMBERS[kind], scale=1)
    for name, value in ("alpha", complex(alpha)), ("beta", complex(beta)):
        if value.imag and array.dtype.kind != "c":
            raise ValueError(f"{name} is complex, but array is of {array.dtype}")
        fields[name] = (value.real, value.imag)


def transpose(queue, array, axes=None, out=None, conjugate=False, alpha=1, beta=0, cap=None, algorithm="auto",
              wait_for=None):
    """Transposes a pyopencl array; returns the result, an array with the event of the last command among its own.

    axes       as in numpy: axis d of the result is axis axes[d] of `array`; None: all axes in reverse order.
               Axes that stay in front are a batch
    out        None: in place. The result then has the memory of `array`, which must not be used any more.
               Else an array of the result's shape that does not overlap; elements between its lines are left alone
    conjugate  True: the result has the conjugates of complex numbers
    alpha, beta  the result is alpha times each element, plus beta times the old value in `out`
    cap        the largest workspace in place: None, or 0, 1, 6, 12 (percent of the array; 12 is 1/8), or "any"
    algorithm  a name such as "c2r"; dl-bench transpose --algorithms help lists them
    wait_for   events to wait for besides those of the arrays
    Raises Error if the library refuses; nothing has been enqueued then.
    """
    if not hasattr(queue, "context"):
        raise TypeError(f"queue is a {_type(queue)}, not a queue of pyopencl")
    for name, thing in ("array", array), ("out", out):
        if not hasattr(thing, "base_data") and not (name == "out" and thing is None):
            raise TypeError(f"{name} is a {_type(thing)}, not an array on the device: "
                            "pyopencl.array.to_device(queue, array) makes one of a numpy array")
    try:
        asked = tuple(map(operator.index, range(array.ndim)[::-1] if axes is None else axes))
    except TypeError:
        raise TypeError(f"axes is {axes!r}, not a sequence of {array.ndim} integers, such as "
                        f"{tuple(range(array.ndim))[::-1]}") from None
    axes = tuple(axis + array.ndim if axis < 0 else axis for axis in asked)
    if sorted(axes) != list(range(array.ndim)):
        raise ValueError(f"axes is {asked}, not a permutation of the {array.ndim} axes of array")
    if array.ndim > _native.AXES_MAX:
        raise ValueError(f"array has {array.ndim} axes: at most {_native.AXES_MAX} are supported")
    if cap not in _native.CAPS:
        raise ValueError(f"cap is {cap!r}, not one of {list(_native.CAPS)}")
    shape = tuple(array.shape[axis] for axis in axes)
    by_columns, leading = _lines(array, "array")
    size = array.dtype.itemsize
    fields = {"element_bytes": size, "order": int(by_columns), "axis_count": max(array.ndim, 1),
              "extents": tuple(array.shape) or (1,), "permutation": axes or (0,), "leading": leading,
              "offset_bytes": array.offset, "cap": _native.CAPS[cap], "algorithm": algorithm}
    _numbers(array, fields, conjugate, alpha, beta)
    events = _events(wait_for) + list(array.events)
    if out is None:
        if leading:
            raise ValueError("in place, the elements of array must lie one after the other: copy it, or give out=")
        result = _reshaped(queue, array, shape, by_columns)
    else:
        by_columns_out, leading_out = _lines(out, "out")
        if out.shape != shape or out.dtype != array.dtype:
            raise ValueError(f"out is {out.shape} of {out.dtype}, but must be {shape} of {array.dtype}")
        if by_columns_out != by_columns and min(out.size, 2) > 1 and sum(n > 1 for n in shape) > 1:
            raise ValueError("array and out must both be row-major or both column-major")
        fields.update(place=1, leading_out=leading_out, offset_out_bytes=out.offset)
        events += out.events
        result = out
    if array.size == 0:
        return result
    with _kept.lock:
        kept = _kept.plan(queue, fields)
        if kept[1] is not None:
            events.append(kept[1])
        event = kept[0].enqueue(queue, array.base_data, None if out is None else out.base_data, events)
        if out is None and kept[0].info["workspace_bytes"]:
            kept[1] = event
    result.add_event(event)
    if out is not None:
        array.add_event(event)  # the next command that writes to it must wait
    return result


def _reshaped(queue, array, shape, by_columns):
    """Returns an array on the same memory."""
    size = array.dtype.itemsize
    strides, order = [], range(len(shape)) if by_columns else reversed(range(len(shape)))
    for axis in order:
        strides.append(size)
        size *= max(shape[axis], 1)
    strides = tuple(strides if by_columns else reversed(strides))
    return array.__class__(queue, shape, array.dtype, data=array.base_data, offset=array.offset, strides=strides)
