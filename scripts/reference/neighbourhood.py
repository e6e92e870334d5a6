#!/usr/bin/env python3
"""Computes tests/data/neighbourhood.json: small results of SciPy that the tests of convolution and sobel compare with.

    python3 -m venv venv && venv/bin/pip install numpy==1.26.4 scipy==1.11.4
    venv/bin/python scripts/reference/neighbourhood.py > tests/data/neighbourhood.json

The reference for convolution is scipy.ndimage.correlate, which does not flip the mask. One case in ten is computed with
scipy.ndimage.convolve and the flipped mask instead, which must give equal results. The computation is in float64, which
is exact for these masks, followed by floor(x + 0.5) and clipping to 0..255. The reference for sobel is
scipy.ndimage.sobel along both axes, in int64. The borders of Threadscape correspond to these modes of SciPy: zero =
constant (cval 0), clamp = nearest, mirror = mirror, reflect = reflect, wrap = wrap (which equals grid-wrap).
"""
import json

import numpy as np
import scipy
from scipy import ndimage

MODES = {"zero": "constant", "clamp": "nearest", "mirror": "mirror", "reflect": "reflect", "wrap": "grid-wrap"}
# In these modes SciPy repeats the border as often as a window needs, so tiny pictures are included.
SIZES = [(1, 1), (2, 3), (5, 4), (13, 9)]


def to_u8(x):
    return np.clip(np.floor(x + 0.5), 0, 255).astype(int)


def main():
    random = np.random.default_rng(20261121)
    cases = []
    for index, (border, mode) in enumerate((b, m) for b in MODES.items() for m in (3, 5, 7, 9)):
        border, size = border, mode
        name, scipy_mode = border
        width, height = SIZES[index % len(SIZES)] if size == 3 else SIZES[-1 - index % 2]
        image = random.integers(0, 256, (height, width))
        mask = random.integers(-9, 10, (size, size))
        divisor, bias = int(random.choice([1, 2, 16, 50])), int(random.choice([0, 128, -10]))
        if index % 10 == 3:
            total = ndimage.convolve(image.astype(float), mask[::-1, ::-1].astype(float), mode=scipy_mode)
        else:
            total = ndimage.correlate(image.astype(float), mask.astype(float), mode=scipy_mode)
        absolute = bool(index % 3 == 1)
        value = total / divisor + bias
        cases.append({
            "algorithm": "convolution", "border": name, "width": width, "height": height, "size": size,
            "mask": mask.ravel().tolist(), "divisor": divisor, "bias": bias, "absolute": absolute,
            "input": image.ravel().tolist(), "output": to_u8(np.abs(value) if absolute else value).ravel().tolist()})
    for index, (name, scipy_mode) in enumerate(MODES.items()):
        for norm in ("l1", "l2"):
            width, height = SIZES[(index + (norm == "l2")) % len(SIZES)]
            image = random.integers(0, 256 if norm == "l1" else 120, (height, width))
            gx = ndimage.sobel(image.astype(np.int64), axis=1, mode=scipy_mode)
            gy = ndimage.sobel(image.astype(np.int64), axis=0, mode=scipy_mode)
            value = np.abs(gx) + np.abs(gy) if norm == "l1" else np.sqrt(gx.astype(float) ** 2 + gy.astype(float) ** 2)
            cases.append({
                "algorithm": "sobel", "border": name, "width": width, "height": height, "norm": norm,
                "input": image.ravel().tolist(), "output": to_u8(value).ravel().tolist()})
    print('{"made by": "scripts/reference/neighbourhood.py, scipy %s, numpy %s",\n "cases": [' % (scipy.__version__, np.__version__))
    print(",\n".join("  " + json.dumps(case) for case in cases))
    print(" ]}")


if __name__ == "__main__":
    main()
