"""Windows of scipy.ndimage as parameters of the library. What takes time is kept for other calls."""

import functools

import numpy


def element_of(pixels, height, width):
    """The parameters of threadscape.morphology for a box, or for the pixels of another window."""
    if pixels is None:
        return {"shape": "rect", "width": width, "height": height}
    cells = pixels.reshape(height, width)
    painted = "/".join("".join("1" if cell else "0" for cell in row) for row in cells)
    return {"shape": "file", "element": f"{width}x{height}:{painted}"}


@functools.lru_cache(maxsize=256)
def percentile_of(rank, count):
    """The percentile by which threadscape.median finds this rank among `count` values."""
    for percentile in range(101):
        if min(count * percentile // 100, count - 1) == rank:
            return percentile
    raise ValueError(f"rank {rank} of {count} values is not covered; accepted are percentiles that are whole numbers")


@functools.lru_cache(maxsize=256)
def mask_of(weights, radius, height, width, y, x):
    """The mask of threadscape.convolution as a text, for weights in float64, whose pixel (y, x) is the middle."""
    mask = numpy.zeros((2 * radius + 1,) * 2)
    place = (slice(radius - y, radius - y + height), slice(radius - x, radius - x + width))
    mask[place] = numpy.frombuffer(weights).reshape(height, width)
    return ",".join(map(repr, mask.ravel().tolist()))


@functools.lru_cache(maxsize=256)
def gaussian_kernel(sigma, order, radius):
    """Weights of a derivative of the Gaussian, in the order of a correlation."""
    x = numpy.arange(-radius, radius + 1)
    phi = numpy.exp(-0.5 / (sigma * sigma) * x**2)
    phi /= phi.sum()
    # The derivatives of exp(p(x)) are q(x) exp(p(x)), and that of q exp(p) is (q' + q p') exp(p).
    q = numpy.polynomial.Polynomial([1.0])
    for _ in range(order):
        q = q.deriv() + q * numpy.polynomial.Polynomial([0.0, -1.0 / (sigma * sigma)])
    kernel = (q(x) * phi)[::-1]
    kernel.flags.writeable = False  # It is kept for other calls.
    return kernel
