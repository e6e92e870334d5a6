"""The arguments of scipy.ndimage, and filters of arrays plane by plane, or along one axis at once."""

import math
import operator

import numpy

BORDERS = {
    "reflect": "reflect",
    "grid-mirror": "reflect",
    "nearest": "clamp",
    "mirror": "mirror",
    "wrap": "wrap",
    "grid-wrap": "wrap",
    "constant": None,
    "grid-constant": None,
}


_MAX_COPIED = 1 << 26  # The most values that copies of lines take together.
_MAX_STACKED = 1 << 20  # The most values of a run on several planes: larger ones take longer than what a run costs.


# --- Arguments


def _stays(array):
    """Whether NumPy's functions leave the array on its GPU, as they do with those of CuPy."""
    if type(array) is numpy.ndarray:
        return False
    return hasattr(array, "__cuda_array_interface__") and hasattr(array, "__array_function__")


def as_array(input):
    """The argument as an array of real numbers or booleans, of CuPy if it is one."""
    array = input if _stays(input) else numpy.asarray(input)
    if array.dtype.kind == "f" and array.dtype.itemsize == 2:
        array = array.astype(numpy.float32)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"arrays of {array.dtype} are not covered; accepted are real numbers and booleans")
    return array


def on_host(values, dtype=None):
    """Weights or the pixels of a window as an array of NumPy."""
    return numpy.asarray(values.get() if _stays(values) else values, dtype=dtype)


def run_options(array, options):
    """The options of a run on this array: on a GPU unless they say otherwise, if it lies there."""
    return {"backend": "cuda", **options} if _stays(array) else options


def as_axes(ndim, axes):
    """The axes as numbers from 0 on; None stands for all."""
    if axes is None:
        return tuple(range(ndim))
    chosen = (axes,) if numpy.isscalar(axes) else tuple(axes)
    chosen = [operator.index(axis) for axis in chosen]
    found = tuple(axis + ndim if axis < 0 else axis for axis in chosen)
    if any(not 0 <= axis < ndim for axis in found):
        raise ValueError(f"axes {chosen}: out of range; accepted are -{ndim}..{ndim - 1}")
    if len(set(found)) != len(found):
        raise ValueError("axes must be unique")
    return found


def in_order_of(axes, values):
    """The weights or pixels of a window, which SciPy takes in ascending order of the axes, in the order of `axes`."""
    ascending = sorted(axes)
    return values.transpose([ascending.index(axis) for axis in axes])


def for_each_axis(value, count, what):
    """One value for each axis, of a single one or a sequence."""
    if isinstance(value, (str, int, float)) or numpy.isscalar(value):
        return [value] * count
    values = list(value)
    if len(values) != count:
        raise RuntimeError(f"{what}: the sequence argument must have length equal to input rank, or to axes: {count}")
    return values


def centre_of(size, origin):
    """The place of the pixel in its window, of which a positive origin moves the window to the left."""
    centre = size // 2 + int(origin)
    if not 0 <= centre < size:
        raise ValueError("invalid origin")
    return centre


def border_of(mode):
    """The border of the program for a mode; None for a constant one."""
    if mode not in BORDERS:
        raise ValueError(f"mode '{mode}': accepted are {', '.join(BORDERS)}")
    return BORDERS[mode]


def stored(result, output, dtype):
    """The result in the type or the array that `output` says; numbers become integers as in SciPy, without rounding."""
    if output is None and result.dtype == dtype:
        return result
    target = output if isinstance(output, (numpy.ndarray, type(result))) else None
    if output is not None:
        dtype = target.dtype if target is not None else numpy.dtype(output)
    if dtype.kind in "iu" and result.dtype.kind == "f":
        result = result.astype(numpy.int64)
    result = result.astype(dtype, copy=False)
    if target is None:
        return result
    if target.shape != result.shape:
        raise RuntimeError(f"output shape {target.shape} is not that of the input, {result.shape}")
    target[...] = result
    return target


# --- Planes


def is_upright(array, axes):
    """Whether filter_planes() lays a single axis from top to bottom, so that no array in the order of C is copied."""
    return len(axes) == 1 and axes[0] != array.ndim - 1


def border_of_whole(array, axes, modes, reach):
    """The border with which a run on the array as it lies there has the result of filter_planes(), or None."""
    if array.ndim != 2 or any(a >= b for a, b in zip(axes, axes[1:])):
        return None
    borders = [border_of(mode) for mode in modes]
    narrow = any(low + high >= array.shape[axis] for axis, (low, high) in zip(axes, reach))
    return None if narrow or borders[0] != borders[-1] else borders[0]


def _continued(planes, borders, before_after, cval):
    """The planes with what lies around them. NumPy continues them by a value, or as a border says."""
    names = {"reflect": "symmetric", "clamp": "edge", "mirror": "reflect", "wrap": "wrap"}
    for axis, border in enumerate(borders):
        pads = [(0, 0)] * planes.ndim
        pads[axis - 2] = before_after[axis]
        if border is None:
            planes = numpy.pad(planes, pads, constant_values=cval)
        else:
            planes = numpy.pad(planes, pads, names[border])
    return planes


def _apart(plane, copies, axis, run):
    """Filters a plane whose rows (axis 0) or columns (axis 1) know nothing of each other: each lies there `copies`
    times, so that a square window around the middle one lies in the copies of one. What becomes too large is cut."""
    step = max(1, _MAX_COPIED // (copies * max(1, plane.shape[1 - axis])))
    middle = (slice(None),) * axis + (slice(copies // 2, None, copies),)
    starts = range(0, plane.shape[axis], step)
    cuts = [(slice(None),) * axis + (slice(start, start + step),) for start in starts]
    parts = [run(numpy.repeat(plane[cut], copies, axis))[middle] for cut in cuts]
    return parts[0] if len(parts) == 1 else numpy.concatenate(parts, axis)


def _in_runs(planes, border, beside, run):
    """Filters planes, several of them in one run where they are small: one below the other, with rows between them, of
    which `beside` are above and below each plane, so that no window reads another one."""
    count, height, width = planes.shape
    above, below = beside
    most = _MAX_COPIED if _stays(planes) else _MAX_STACKED
    step = most // max(1, (height + above + below) * width)
    if count == 1 or step < 2:
        return numpy.stack([run(plane, border) for plane in planes])
    parts = []
    for start in range(0, count, step):
        apart = _continued(planes[start : start + step], [border], [beside], 0)
        parts.append(run(apart.reshape(-1, width), border).reshape(apart.shape)[:, above : above + height])
    return parts[0] if len(parts) == 1 else numpy.concatenate(parts)


def filter_planes(array, axes, modes, cval, reach, run, copies=1, radius=None):
    """Filters the planes of two axes, with a border for each of them, or the whole array along one axis as a single
    plane, from top to bottom if is_upright(). `reach` says how far windows go before and behind a pixel along each
    axis, and `radius` how far a run reads rows, where that is further; run(plane, border) filters a plane. Windows along
    one axis that are squares read `copies` of each line."""
    border = border_of_whole(array, axes, modes, reach) if copies == 1 else None
    if border is not None:
        return run(array, border)
    modes = list(modes)
    if len(axes) == 1:
        upright = is_upright(array, axes)
        places = (0,) if upright else (-1,)
        lifted = numpy.moveaxis(array, axes, places)
        lines = math.prod(lifted.shape[1:] if upright else lifted.shape[:-1])
        planes = lifted.reshape((1, lifted.shape[0], lines) if upright else (1, lines, lifted.shape[-1]))
        before_after = [reach[0], (0, 0)] if upright else [(0, 0), reach[0]]
        modes *= 2
    else:
        places = (-2, -1)
        planes = lifted = numpy.moveaxis(array, axes, places)
        before_after = list(reach)
    borders = [border_of(mode) for mode in modes]
    narrow = any(low + high >= size for (low, high), size in zip(before_after, planes.shape[-2:]) if low or high)
    inner = (slice(None),) * 2
    if borders[0] is None or borders[0] != borders[1] or narrow:
        # A window is larger than the picture, or the axes differ, or a value lies around it.
        height, width = planes.shape[-2:]
        inner = tuple(slice(low, low + size) for (low, _), size in zip(before_after, (height, width)))
        planes = _continued(planes, borders, before_after, cval)
        borders = ["clamp"] * 2
    flat = planes.reshape(-1, *planes.shape[-2:])
    if copies > 1:
        result = _apart(flat[0], copies, 1 if places == (0,) else 0, lambda plane: run(plane, borders[0]))[inner]
    elif flat.shape[0] == 1:
        result = run(flat[0], borders[0])[inner]
    else:
        there = [0, 0] if planes is lifted else before_after[0]  # Rows that are around each plane already.
        beside = [max(0, far - rows) for far, rows in zip([radius] * 2 if radius else before_after[0], there)]
        result = _in_runs(flat, borders[0], beside, run)[(slice(None), *inner)]
    return numpy.moveaxis(result.reshape(lifted.shape), places, axes)


def is_ranked(dtype):
    """Whether rank filters of the library take values of this type."""
    return dtype in (numpy.uint8, numpy.uint16, numpy.float32) and dtype.isnative


def keys_of(array, cval):
    """The array in a type that rank filters take, in the same order, and the function that brings results back."""
    if array.dtype.kind in "iub" and not float(cval).is_integer():
        array = array.astype(numpy.float64)
    dtype = array.dtype
    if is_ranked(dtype):
        return array, lambda result: result
    if dtype == bool:
        return array.view(numpy.uint8), lambda result: result.view(bool)
    values, ranks = numpy.unique(array, return_inverse=True)
    small = values.size <= 1 << 16
    if values.size > 1 << 24:
        raise ValueError(f"{values.size} different values of {dtype} are not covered; accepted are up to {1 << 24}")
    keys = ranks.reshape(array.shape).astype(numpy.uint16 if small else numpy.float32)
    return keys, lambda result: values[result.astype(numpy.intp)]


def rank_planes(array, axes, modes, cval, reach, run, copies=1):
    """filter_planes() for filters that only compare values, of every dtype."""
    if any(border_of(mode) is None for mode in modes) and array.dtype.kind in "iub":
        limits = (0, 1) if array.dtype == bool else (numpy.iinfo(array.dtype).min, numpy.iinfo(array.dtype).max)
        if not limits[0] <= cval <= limits[1] or not float(cval).is_integer():
            array = array.astype(numpy.float64)

    def run_keys(plane, border):
        if is_ranked(plane.dtype):
            return run(plane, border)
        keys, restore = keys_of(plane, 0)
        return restore(run(numpy.ascontiguousarray(keys, like=keys), border))

    return filter_planes(array, axes, modes, cval, reach, run_keys, copies)


def window_of(array, size, footprint, axes):
    """The axes that a window extends along, its sizes, and its pixels unless it is a box."""
    axes = as_axes(array.ndim, axes)
    if footprint is None:
        if size is None:
            raise RuntimeError("no footprint or filter size provided")
        sizes = [int(value) for value in for_each_axis(size, len(axes), "size")]
        pixels = None
    else:
        pixels = on_host(footprint, bool)
        if pixels.ndim != len(axes):
            raise RuntimeError(f"footprint.ndim ({pixels.ndim}) must match len(axes) ({len(axes)})")
        if not pixels.any():
            raise ValueError("all-zero footprint is not supported")
        pixels = pixels if pixels.all() else in_order_of(axes, pixels)
        sizes = list(pixels.shape)
        pixels = None if pixels.all() else pixels
    if any(value < 1 for value in sizes):
        raise ValueError("window sizes start at 1")
    return axes, sizes, pixels
