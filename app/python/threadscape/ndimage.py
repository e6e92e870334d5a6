"""Filters with the names and arguments of scipy.ndimage.

They filter arrays of any number of dimensions along one or two axes, and windows that are boxes, uniform and Gaussian
filters along any number. Results of rank filters and flat grey morphology have the bits of SciPy for every dtype.
Linear filters compute in float32, where SciPy uses float64; on uint8 and uint16, `gaussian_filter` and
`uniform_filter` compute in integers and round once to the nearest, where SciPy truncates after each axis. What is not
covered raises ValueError. Arrays of CuPy are filtered on their GPU and stay there. The dictionary `options` has arguments
of every run, such as backend and threads.
"""

import math

import numpy

import threadscape
from threadscape import planes as _planes
from threadscape import weights as _weights

#: Arguments of every run: backend, threads, device.
options = {}

_MAX_MASK = 63  # The largest mask of threadscape.convolution.


def _across(array, axes, values, other):
    """Values of one or two axes as those of rows and columns; `other` stands for the axis that is not filtered."""
    if len(values) == 2:
        return tuple(values)
    return (values[0], other) if _planes.is_upright(array, axes) else (other, values[0])


# --- Grey morphology


def _in_one_run(operation, input, window, output, mode, cval, origin, axes):
    """What erosions and dilations of a picture make of it, in one run; None where that has not the bits of SciPy."""
    array = _planes.as_array(input)
    axes, sizes, pixels = _planes.window_of(array, *_flat(*window), axes)
    modes, origins = _planes.for_each_axis(mode, len(axes), "mode"), _planes.for_each_axis(origin, len(axes), "origin")
    if len(axes) != 2 or any(origins) or not _planes.is_ranked(array.dtype):
        return None
    border = _planes.border_of_whole(array, axes, modes, [(0, size - 1) for size in sizes])
    # The opening by an element that is not symmetric can lie above the input at a border.
    symmetric = all(size % 2 for size in sizes) and (pixels is None or numpy.array_equal(pixels, numpy.flip(pixels)))
    if border is None or not symmetric and operation in ("tophat", "blackhat"):
        return None
    element = {**_weights.element_of(pixels, *sizes), **_planes.run_options(array, options)}
    found = threadscape.morphology(array, operation=operation, border=border, **element)
    return _planes.stored(found, output, array.dtype)


def _extreme(array, erode, axes, sizes, pixels, modes, cval, origins):
    """The minimum or the maximum of each window."""
    centres = [_planes.centre_of(size, origin) for size, origin in zip(sizes, origins)]
    used = [i for i, size in enumerate(sizes) if size > 1 or pixels is not None]
    if pixels is not None and len(axes) > 2:
        raise ValueError("footprints that are no box are covered along one or two axes")
    result = array
    step = 2 if array.ndim <= 2 or pixels is not None else 1  # Along one axis a stack takes one run.
    for start in range(0, len(used), step):
        chosen = used[start : start + step]
        along = [axes[i] for i in chosen]
        shape = [sizes[i] for i in chosen]
        middle = [centres[i] for i in chosen]
        reach = [(c, s - 1 - c) for c, s in zip(middle, shape)]
        if not erode:  # A dilation takes the element mirrored.
            middle = [s - 1 - c for c, s in zip(middle, shape)]
        (height, width), (y, x) = _across(array, along, shape, 1), _across(array, along, middle, 0)
        element = _weights.element_of(pixels if erode or pixels is None else numpy.flip(pixels), height, width)
        operation = "erode" if erode else "dilate"

        def run(plane, border):
            return threadscape.morphology(
                plane, operation=operation, **element, origin_x=x, origin_y=y, border=border, **_planes.run_options(plane, options)
            )

        result = _planes.rank_planes(result, along, [modes[i] for i in chosen], cval, reach, run)
    return result


def _min_or_max(input, erode, size, footprint, output, mode, cval, origin, axes):
    array = _planes.as_array(input)
    axes, sizes, pixels = _planes.window_of(array, size, footprint, axes)
    modes, origins = _planes.for_each_axis(mode, len(axes), "mode"), _planes.for_each_axis(origin, len(axes), "origin")
    return _planes.stored(_extreme(array, erode, axes, sizes, pixels, modes, cval, origins), output, array.dtype)


def minimum_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """The minimum of each window, with the bits of SciPy."""
    return _min_or_max(input, True, size, footprint, output, mode, cval, origin, axes)


def maximum_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """The maximum of each window, with the bits of SciPy."""
    return _min_or_max(input, False, size, footprint, output, mode, cval, origin, axes)


def minimum_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """The minimum of a window along one axis, with the bits of SciPy."""
    return minimum_filter(input, size, None, output, mode, cval, origin, axes=axis)


def maximum_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """The maximum of a window along one axis, with the bits of SciPy."""
    return maximum_filter(input, size, None, output, mode, cval, origin, axes=axis)


def _flat(size, footprint, structure):
    if structure is None:
        if size is None and footprint is None:
            raise ValueError("size, footprint, or structure must be specified")
        return size, footprint
    structure = _planes.on_host(structure)
    if structure.any():
        raise ValueError("structures with heights are not covered; accepted are structures of zeros")
    return size, numpy.ones(structure.shape, bool) if footprint is None else footprint


def grey_erosion(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """Grey erosion by a flat element, with the bits of SciPy."""
    return minimum_filter(input, *_flat(size, footprint, structure), output, mode, cval, origin, axes=axes)


def grey_dilation(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """Grey dilation by a flat element, with the bits of SciPy: the element and its origin are mirrored."""
    array = _planes.as_array(input)
    chosen, sizes, pixels = _planes.window_of(array, *_flat(size, footprint, structure), axes)
    origins = _planes.for_each_axis(origin, len(chosen), "origin")
    origins = [-o if s % 2 else -o - 1 for o, s in zip(origins, sizes)]
    pixels = None if pixels is None else numpy.flip(pixels)
    modes = _planes.for_each_axis(mode, len(chosen), "mode")
    return _planes.stored(_extreme(array, False, chosen, sizes, pixels, modes, cval, origins), output, array.dtype)


def grey_opening(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """Erosion, then dilation."""
    found = _in_one_run("open", input, (size, footprint, structure), output, mode, cval, origin, axes)
    if found is not None:
        return found
    element = (*_flat(size, footprint, structure), None)
    eroded = grey_erosion(input, *element, None, mode, cval, origin, axes=axes)
    return grey_dilation(eroded, *element, output, mode, cval, origin, axes=axes)


def grey_closing(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """Dilation, then erosion."""
    found = _in_one_run("close", input, (size, footprint, structure), output, mode, cval, origin, axes)
    if found is not None:
        return found
    element = (*_flat(size, footprint, structure), None)
    dilated = grey_dilation(input, *element, None, mode, cval, origin, axes=axes)
    return grey_erosion(dilated, *element, output, mode, cval, origin, axes=axes)


def _difference(a, b, output):
    return _planes.stored(numpy.bitwise_xor(a, b) if a.dtype == bool else numpy.subtract(a, b), output, a.dtype)


def morphological_gradient(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """Dilation minus erosion."""
    found = _in_one_run("gradient", input, (size, footprint, structure), output, mode, cval, origin, axes)
    if found is not None:
        return found
    rest = (size, footprint, structure, None, mode, cval, origin)
    return _difference(grey_dilation(input, *rest, axes=axes), grey_erosion(input, *rest, axes=axes), output)


def white_tophat(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """The input minus its opening."""
    found = _in_one_run("tophat", input, (size, footprint, structure), output, mode, cval, origin, axes)
    if found is not None:
        return found
    rest = (size, footprint, structure, None, mode, cval, origin)
    return _difference(_planes.as_array(input), grey_opening(input, *rest, axes=axes), output)


def black_tophat(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """The closing of the input minus the input."""
    found = _in_one_run("blackhat", input, (size, footprint, structure), output, mode, cval, origin, axes)
    if found is not None:
        return found
    rest = (size, footprint, structure, None, mode, cval, origin)
    return _difference(grey_closing(input, *rest, axes=axes), _planes.as_array(input), output)


# --- Ranks


def _rank(input, rank_of, size, footprint, output, mode, cval, origin, axes):
    array = _planes.as_array(input)
    axes, sizes, pixels = _planes.window_of(array, size, footprint, axes)
    origins, modes = _planes.for_each_axis(origin, len(axes), "origin"), _planes.for_each_axis(mode, len(axes), "mode")
    count = math.prod(sizes) if pixels is None else int(pixels.sum())
    rank = rank_of(count)
    if rank < 0:
        rank += count
    if not 0 <= rank < count:
        raise RuntimeError("rank not within filter footprint size")
    if rank in (0, count - 1):
        found = _extreme(array, rank == 0, axes, sizes, pixels, modes, cval, origins)
        return _planes.stored(found, output, array.dtype)
    used = [i for i, value in enumerate(sizes) if value > 1]
    shape = [sizes[i] for i in used]
    if pixels is not None or not 1 <= len(used) <= 2 or len(set(shape)) > 1 or shape[0] % 2 == 0:
        raise ValueError(f"a window of {sizes} pixels is not covered; accepted are squares with an odd side")
    if any(origins):
        raise ValueError(f"origin {origin} is not covered; accepted is 0")
    side = shape[0]
    # Along one axis the window is a square on copies of the line. Then each value of the window counts `side` times.
    percentile = _weights.percentile_of(rank, count)
    if len(used) == 1:
        wanted = {r: p for p in range(101) for r in [min(side * side * p // 100, side * side - 1) // side]}
        if rank not in wanted:
            raise ValueError(f"rank {rank} of {count} values is not covered")
        percentile = wanted[rank]

    def run(plane, border):
        return threadscape.median(plane, size=side, percentile=percentile, border=border, **_planes.run_options(plane, options))

    reach = [(side // 2, side // 2)] * len(used)
    copies = side if len(used) == 1 else 1
    along, borders = [axes[i] for i in used], [modes[i] for i in used]
    found = _planes.rank_planes(array, along, borders, cval, reach, run, copies)
    return _planes.stored(found, output, array.dtype)


def rank_filter(
    input, rank, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """The value of a rank in each window, with the bits of SciPy."""
    return _rank(input, lambda count: int(rank), size, footprint, output, mode, cval, origin, axes)


def percentile_filter(
    input, percentile, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """The percentile of each window, with the bits of SciPy."""
    share = percentile + 100.0 if percentile < 0 else percentile
    if not 0 <= share <= 100:
        raise RuntimeError("invalid percentile")

    def rank_of(count):
        return count - 1 if share == 100 else int(float(count) * share / 100.0)

    return _rank(input, rank_of, size, footprint, output, mode, cval, origin, axes)


def median_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """The median of each window, with the bits of SciPy."""
    return _rank(input, lambda count: count // 2, size, footprint, output, mode, cval, origin, axes)


# --- Linear filters


def _is_finite(array):
    """Whether all values are finite as float32, for which an array on a GPU is waited for if it has floats."""
    return array.dtype.kind != "f" or bool(numpy.all(numpy.isfinite(array.astype(numpy.float32, copy=False))))


def _correlate(array, axes, weights, modes, cval, origins, finite=None):
    """Sums of float32, in the order of threadscape.convolution. `finite` is that of _is_finite(), if it is known."""
    centres = [_planes.centre_of(size, origin) for size, origin in zip(weights.shape, origins)]
    reach = [(c, s - 1 - c) for c, s in zip(centres, weights.shape)]
    radius = max(1, *(side for sides in reach for side in sides))
    if 2 * radius + 1 > _MAX_MASK:
        raise ValueError(f"a mask that reaches {radius} pixels is not covered; accepted are {_MAX_MASK // 2}")
    placed = (radius, *_across(array, axes, weights.shape, 1), *_across(array, axes, centres, 0))
    mask = _weights.mask_of(weights.astype(numpy.float64, copy=False).tobytes(), *placed)

    def run(plane, border):
        return threadscape.convolution(plane, size=2 * radius + 1, mask=mask, border=border, **_planes.run_options(plane, options))

    # Along one axis the mask has zeros for the lines beside, and the product of zero and infinity is not a number.
    alone = len(axes) == 1 and not (_is_finite(array) if finite is None else finite)
    copies = 2 * radius + 1 if alone else 1
    floats = array.astype(numpy.float32, copy=False)
    return _planes.filter_planes(floats, axes, modes, cval, reach, run, copies, radius)


def correlate(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """The correlation with weights of one or two axes longer than 1."""
    array = _planes.as_array(input)
    axes = _planes.as_axes(array.ndim, axes)
    weights = _planes.on_host(weights, numpy.float64)
    if weights.ndim != len(axes):
        raise RuntimeError(f"weights.ndim ({weights.ndim}) must match len(axes) ({len(axes)})")
    if weights.size == 0:
        raise RuntimeError("no weights")
    weights = _planes.in_order_of(axes, weights)
    modes, origins = _planes.for_each_axis(mode, len(axes), "mode"), _planes.for_each_axis(origin, len(axes), "origin")
    for size, shift in zip(weights.shape, origins):
        _planes.centre_of(size, shift)
    used = [i for i, size in enumerate(weights.shape) if size > 1] or [len(axes) - 1]
    if len(used) > 2:
        raise ValueError("masks of more than two axes are not covered")
    mask = weights.reshape([weights.shape[i] for i in used])
    chosen = [[values[i] for i in used] for values in (axes, modes, origins)]
    return _planes.stored(_correlate(array, chosen[0], mask, chosen[1], cval, chosen[2]), output, array.dtype)


def _mirrored(weights, origins):
    origins = [-o if s % 2 else -o - 1 for o, s in zip(origins, weights.shape)]
    return numpy.flip(weights), origins


def convolve(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """The convolution: the correlation with the mirrored weights."""
    weights = _planes.on_host(weights)
    return correlate(input, *_with_origin(weights, origin, output, mode, cval), axes=axes)


def _with_origin(weights, origin, output, mode, cval):
    mirrored, origins = _mirrored(weights, _planes.for_each_axis(origin, weights.ndim, "origin"))
    return mirrored, output, mode, cval, origins


def correlate1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """The correlation along one axis."""
    return correlate(input, _planes.on_host(weights).ravel(), output, mode, cval, origin, axes=axis)


def convolve1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """The convolution along one axis."""
    return convolve(input, _planes.on_host(weights).ravel(), output, mode, cval, origin, axes=axis)


def _separable(array, axes, kernels, modes, cval, origins):
    """Correlates with a kernel along each axis, or along two at once if there are no more, so that pictures of a stack
    have the bits of single ones, and no pass continues the array by cval."""
    result = array
    continued = cval != 0 and any(_planes.border_of(mode) is None for mode in modes)
    step = 1 if continued or len(axes) > 2 else 2
    if step == 2:  # The order of two axes at once means nothing, and pictures are not turned in the ascending one.
        order = sorted(range(len(axes)), key=axes.__getitem__)
        axes, kernels, modes, origins = ([values[i] for i in order] for values in (axes, kernels, modes, origins))
    finite = None if len(axes) == step else _is_finite(array)
    for start in range(0, len(axes), step):
        part = slice(start, start + step)
        weights = kernels[start] if len(axes[part]) == 1 else numpy.outer(*kernels[part])
        result = _correlate(result, axes[part], weights, modes[part], cval, origins[part], finite)
    return result


def uniform_filter(input, size=3, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """The mean of each window."""
    array = _planes.as_array(input)
    axes = _planes.as_axes(array.ndim, axes)
    sizes = [int(value) for value in _planes.for_each_axis(size, len(axes), "size")]
    modes, origins = _planes.for_each_axis(mode, len(axes), "mode"), _planes.for_each_axis(origin, len(axes), "origin")
    for value, shift in zip(sizes, origins):
        _planes.centre_of(value, shift)
    used = [i for i, value in enumerate(sizes) if value > 1]
    axes, sizes, modes, origins = ([values[i] for i in used] for values in (axes, sizes, modes, origins))
    if not used:
        return _planes.stored(array.copy(), output, array.dtype)
    square = len(used) == 2 and sizes[0] == sizes[1] and sizes[0] % 2 == 1 and sizes[0] <= 31 and not any(origins)
    if square and array.dtype in (numpy.uint8, numpy.uint16, numpy.float32):
        reach = [(sizes[0] // 2,) * 2] * 2

        def run(plane, border):
            return threadscape.mean(plane, size=sizes[0], border=border, **_planes.run_options(plane, options))

        return _planes.stored(_planes.filter_planes(array, axes, modes, cval, reach, run), output, array.dtype)
    kernels = [numpy.full(value, 1.0 / value) for value in sizes]
    return _planes.stored(_separable(array, axes, kernels, modes, cval, origins), output, array.dtype)


def uniform_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """The mean of a window along one axis."""
    return uniform_filter(input, size, output, mode, cval, origin, axes=axis)


def gaussian_filter(
    input, sigma, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None, axes=None
):
    """Blur by a Gaussian, or one of its derivatives."""
    array = _planes.as_array(input)
    axes = _planes.as_axes(array.ndim, axes)
    sigmas = [float(value) for value in _planes.for_each_axis(sigma, len(axes), "sigma")]
    orders, modes = _planes.for_each_axis(order, len(axes), "order"), _planes.for_each_axis(mode, len(axes), "mode")
    if any(value < 0 for value in orders):
        raise ValueError("order must be non-negative")
    radii = [int(truncate * value + 0.5) for value in sigmas]
    if radius is not None:
        radii = _planes.for_each_axis(radius, len(axes), "radius")
    if any(value < 0 or int(value) != value for value in radii):
        raise ValueError("Radius must be a nonnegative integer.")
    used = [i for i, value in enumerate(sigmas) if value > 1e-15]
    axes, sigmas, orders, modes, radii = ([v[i] for i in used] for v in (axes, sigmas, orders, modes, radii))
    if not used:
        return _planes.stored(array.copy(), output, array.dtype)
    same = len(used) == 2 and sigmas[0] == sigmas[1] and radii[0] == radii[1] and not any(orders)
    if same and 0.1 <= sigmas[0] <= 8 and 1 <= radii[0] <= 32:
        if array.dtype in (numpy.uint8, numpy.uint16, numpy.float32):
            reach = [(radii[0], radii[0])] * 2

            def run(plane, border):
                return threadscape.gaussian(plane, sigma=sigmas[0], radius=radii[0], border=border, **_planes.run_options(plane, options))

            return _planes.stored(_planes.filter_planes(array, axes, modes, cval, reach, run), output, array.dtype)
    kernels = [_weights.gaussian_kernel(*of) for of in zip(sigmas, orders, radii)]
    return _planes.stored(_separable(array, axes, kernels, modes, cval, [0] * len(used)), output, array.dtype)


def gaussian_filter1d(
    input, sigma, axis=-1, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None
):
    """Blur by a Gaussian along one axis, or one of its derivatives."""
    return gaussian_filter(input, sigma, order, output, mode, cval, truncate, radius=radius, axes=axis)


def _derivative(input, axis, smooth, output, mode, cval):
    """Differences along one axis, and a smoothing mask along all others."""
    array = _planes.as_array(input)
    (axis,) = _planes.as_axes(array.ndim, axis)
    modes = _planes.for_each_axis(mode, array.ndim, "mode")
    order = [axis, *(other for other in range(array.ndim) if other != axis)]
    kernels = [numpy.array([-1.0, 0.0, 1.0])] + [numpy.array(smooth)] * (array.ndim - 1)
    found = _separable(array, order, kernels, [modes[i] for i in order], cval, [0] * array.ndim)
    return _planes.stored(found, output, array.dtype)


def sobel(input, axis=-1, output=None, mode="reflect", cval=0.0):
    """Differences along an axis, smoothed by 1 2 1 along the others."""
    return _derivative(input, axis, [1.0, 2.0, 1.0], output, mode, cval)


def prewitt(input, axis=-1, output=None, mode="reflect", cval=0.0):
    """Differences along an axis, smoothed by 1 1 1 along the others."""
    return _derivative(input, axis, [1.0, 1.0, 1.0], output, mode, cval)


def laplace(input, output=None, mode="reflect", cval=0.0, *, axes=None):
    """The sum of the second differences along the axes."""
    array = _planes.as_array(input)
    axes = _planes.as_axes(array.ndim, axes)
    modes = _planes.for_each_axis(mode, len(axes), "mode")
    second = numpy.array([1.0, -2.0, 1.0])
    if array.ndim == len(axes) == 2 and _is_finite(array):  # A mask for both, whose corners are zeros.
        cross = numpy.array([[0.0, 1.0, 0.0], [1.0, -4.0, 1.0], [0.0, 1.0, 0.0]])
        return _planes.stored(_correlate(array, axes, cross, modes, cval, [0, 0]), output, array.dtype)
    parts = [_correlate(array, [axis], second, [of], cval, [0]) for axis, of in zip(axes, modes)]
    return _planes.stored(sum(parts[1:], parts[0]), output, array.dtype)


def _gaussian_sum(input, sigma, order, output, mode, cval, axes, join, arguments):
    array = _planes.as_array(input)
    axes = _planes.as_axes(array.ndim, axes)
    work = array.astype(numpy.float32)
    parts = []
    for i in range(len(axes)):
        orders = [order if i == j else 0 for j in range(len(axes))]
        parts.append(gaussian_filter(work, sigma, orders, None, mode, cval, axes=axes, **arguments))
    return _planes.stored(join(parts), output, array.dtype)


def gaussian_laplace(input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, **kwargs):
    """The sum of the second derivatives of the blurred input."""
    return _gaussian_sum(input, sigma, 2, output, mode, cval, axes, sum, kwargs)


def gaussian_gradient_magnitude(input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, **kwargs):
    """The length of the gradient of the blurred input."""

    def length(parts):
        return numpy.sqrt(sum(part * part for part in parts))

    return _gaussian_sum(input, sigma, 1, output, mode, cval, axes, length, kwargs)


__all__ = [name for name in dir() if name[0] != "_" and name not in ("math", "numpy", "threadscape")]
