#!/usr/bin/env python3
"""Computes tests/data/smoothing_edges.json: small results of SciPy that the tests of mean, weighted_mean, gaussian,
sharpen, laplacian_of_gaussian, laplacian, sobel, prewitt and scharr compare with.

    python3 -m venv venv && venv/bin/pip install numpy==1.26.4 scipy==1.11.4
    venv/bin/python scripts/reference/smoothing_edges.py > tests/data/smoothing_edges.json

The inputs are integers 0..255, and the results are float64 without rounding. The tests state how far 8-bit and float
results may be from them. The borders of Threadscape correspond to these modes of SciPy: zero = constant (cval 0), clamp
= nearest, mirror = mirror, reflect = reflect, wrap = grid-wrap.
"""
import json

import numpy as np
import scipy
from scipy import ndimage

MODES = {"zero": "constant", "clamp": "nearest", "mirror": "mirror", "reflect": "reflect", "wrap": "grid-wrap"}
SIZES = [(11, 7), (5, 9), (3, 2), (17, 4)]


def binomial(size):
    row = np.array([1.0])
    while len(row) < size:
        row = np.convolve(row, [0.5, 0.5])
    return row


def gaussian(image, sigma, mode, order=0):
    radius = int(np.ceil(np.float32(4) * np.float32(sigma)))
    return ndimage.gaussian_filter(image, sigma, order=order, mode=mode, radius=radius)


def along_rows_and_columns(image, row, mode):
    return ndimage.correlate1d(ndimage.correlate1d(image, row, axis=0, mode=mode), row, axis=1, mode=mode)


def results(image, mode):
    """Yields (algorithm, parameters, result) for every filter."""
    for size in (3, 9, 31):
        yield "mean", {"size": size}, ndimage.uniform_filter(image, size, mode=mode)
    for size in (3, 7, 9, 31):
        yield "weighted_mean", {"size": size}, along_rows_and_columns(image, binomial(size), mode)
    for sigma in (0.5, 1.0, 2.5, 8.0):
        yield "gaussian", {"sigma": sigma}, gaussian(image, sigma, mode)
    for amount, sigma in ((0.5, 1.0), (2.0, 2.0)):
        yield ("sharpen", {"amount": amount, "sigma": sigma},
               np.clip(image + amount * (image - gaussian(image, sigma, mode)), 0, 255))
    for sigma in (1.0, 2.0):
        second = gaussian(image, sigma, mode, (2, 0)) + gaussian(image, sigma, mode, (0, 2))
        yield "laplacian_of_gaussian", {"sigma": sigma, "output": "absolute"}, np.clip(np.abs(sigma**2 * second), 0, 255)
        yield "laplacian_of_gaussian", {"sigma": sigma, "output": "offset"}, np.clip(sigma**2 * second + 128, 0, 255)
    four = ndimage.laplace(image, mode=mode)
    eight = ndimage.correlate(image, np.array([[1, 1, 1], [1, -8, 1], [1, 1, 1.0]]), mode=mode)
    five = ndimage.correlate(image, np.array(
        [[0, 0, 1, 0, 0], [0, 1, 2, 1, 0], [1, 2, -16, 2, 1], [0, 1, 2, 1, 0], [0, 0, 1, 0, 0.0]]), mode=mode)
    for kind, value in (("four", four), ("eight", eight), ("five", five)):
        for output, shown in (("absolute", np.abs(value)), ("clamp", value), ("offset", value + 128)):
            yield "laplacian", {"kind": kind, "output": output}, np.clip(shown, 0, 255)
    scharr = np.array([[-3, 0, 3], [-10, 0, 10], [-3, 0, 3.0]])
    both = {"sobel": (ndimage.sobel(image, 1, mode=mode), ndimage.sobel(image, 0, mode=mode)),
            "prewitt": (ndimage.prewitt(image, 1, mode=mode), ndimage.prewitt(image, 0, mode=mode)),
            "scharr": (ndimage.correlate(image, scharr, mode=mode), ndimage.correlate(image, scharr.T, mode=mode))}
    for name, (x, y) in both.items():
        yield name, {"norm": "l1"}, np.clip(np.abs(x) + np.abs(y), 0, 255)
        yield name, {"norm": "l2"}, np.clip(np.hypot(x, y), 0, 255)
        yield name, {"norm": "x", "output": "offset"}, np.clip(x + 128, 0, 255)
        yield name, {"norm": "y", "output": "clamp"}, np.clip(y, 0, 255)
    # The (row, column) of the neighbours, clockwise from the right.
    ring = [(1, 2), (2, 2), (2, 1), (2, 0), (1, 0), (0, 0), (0, 1), (0, 2)]
    for name, weights in (("sobel", [2, 1, 0, -1, -2, -1, 0, 1]), ("prewitt", [1, 1, 0, -1, -1, -1, 0, 1]),
                          ("scharr", [10, 3, 0, -3, -10, -3, 0, 3])):
        answers = []
        for turn in range(8):
            mask = np.zeros((3, 3))
            for i, weight in enumerate(weights):
                mask[ring[(i + turn) % 8]] = weight
            answers.append(ndimage.correlate(image, mask, mode=mode))
        largest = np.max(answers, axis=0)
        yield name, {"directions": "eight"}, np.clip(largest, 0, 255)
        yield (name, {"directions": "eight", "output": "direction"},
               np.where(largest > 0, 32 * np.argmax(answers, axis=0) + 31, 0))


def main():
    random = np.random.default_rng(20261121)
    cases = []
    for border, mode in MODES.items():
        width, height = SIZES[len(cases) % len(SIZES)]
        image = random.integers(0, 256, (height, width)).astype(float)
        cases.append({"border": border, "width": width, "height": height, "input": image.astype(int).ravel().tolist(),
                      "results": [{"algorithm": name, "set": {k: str(v) for k, v in parameters.items()},
                                   "output": np.round(result, 4).ravel().tolist()}
                                  for name, parameters, result in results(image, mode)]})
    print('{"made by": "scripts/reference/smoothing_edges.py, scipy %s, numpy %s",\n "cases": ['
          % (scipy.__version__, np.__version__))
    print(",\n".join("  " + json.dumps(case) for case in cases))
    print(" ]}")


if __name__ == "__main__":
    main()
