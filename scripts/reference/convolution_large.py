#!/usr/bin/env python3
"""Computes tests/data/convolution_large.json: results of SciPy for masks beyond 9x9, which the tests of convolution
compare with.

    python3 -m venv venv && venv/bin/pip install numpy==1.26.4 scipy==1.11.4
    venv/bin/python scripts/reference/convolution_large.py > tests/data/convolution_large.json

The reference is scipy.ndimage.correlate (which does not flip the mask) in float64. The stored output is sum / divisor +
bias, neither rounded nor clamped. The `kind` of a mask is one of: real (weights that are multiples of 1/1000, which no
power of two makes integers; rank above 1), whole (integers, rank above 1), real product (a column times a row of
floats, rounded to float32), and whole product (a column times a row of integers). The borders of Threadscape correspond
to these modes of SciPy: zero = constant (cval 0), clamp = nearest, mirror = mirror, reflect = reflect, wrap =
grid-wrap. SciPy repeats the border as often as a window needs, so most pictures are smaller than their mask.
"""
import json

import numpy as np
import scipy
from scipy import ndimage

MODES = {"zero": "constant", "clamp": "nearest", "mirror": "mirror", "reflect": "reflect", "wrap": "grid-wrap"}
SIZES = [(13, 9), (1, 4), (40, 7), (6, 33)]


def make_mask(random, kind, size):
    """Returns the mask, and the entries that the JSON file stores for it."""
    if kind == "real":
        mask = random.integers(-999, 1000, (size, size)) / 1000.0
        return mask, {"mask": mask.ravel().tolist()}
    if kind == "whole":
        mask = random.integers(-9, 10, (size, size))
        return mask, {"mask": mask.ravel().tolist()}
    column, row = random.integers(-20, 40, size), random.integers(-20, 40, size)
    if kind == "real product":
        column, row = column / 8.0 + 0.1, row / 32.0 + 0.01
    factors = {"column": column.tolist(), "row": row.tolist()}
    return np.outer(column.astype(np.float32), row.astype(np.float32)), factors


def main():
    random = np.random.default_rng(20261121)
    small = [(11, kind) for kind in ("real", "whole", "real product", "whole product")]
    large = [[(31, "real product")], [(31, "real")], [(63, "whole")], [(31, "whole product")], [(31, "real")]]
    cases = []
    for index, (border, mode) in enumerate(MODES.items()):
        for size, kind in small + large[index]:
            width, height = SIZES[len(cases) % len(SIZES)]
            image = random.integers(0, 256, (height, width))
            mask, stored = make_mask(random, kind, size)
            mask = mask.astype(np.float32)
            divisor = float(np.round(np.abs(mask).sum(dtype=np.float64) / 4))
            total = ndimage.correlate(image.astype(float), mask.astype(float), mode=mode)
            cases.append({
                "algorithm": "convolution", "kind": kind, "border": border, "width": width, "height": height, "size": size,
                **stored, "divisor": divisor, "bias": 100,
                "input": image.ravel().tolist(), "output": np.round(total / divisor + 100, 6).ravel().tolist()})
    print('{"made by": "scripts/reference/convolution_large.py, scipy %s, numpy %s",\n "cases": [' % (
        scipy.__version__, np.__version__))
    print(",\n".join("  " + json.dumps(case, separators=(",", ":")) for case in cases))
    print(" ]}")


if __name__ == "__main__":
    main()
