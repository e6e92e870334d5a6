#!/usr/bin/env python3
"""Computes tests/data/median.json: small results of scipy.ndimage.percentile_filter and median_filter.

    python3 -m venv venv && venv/bin/pip install numpy==1.26.4 scipy==1.11.4
    venv/bin/python scripts/reference/median.py > tests/data/median.json

The borders of Threadscape correspond to these modes of SciPy: zero = constant (cval 0), clamp = nearest, mirror =
mirror, reflect = reflect, wrap = wrap (which equals grid-wrap). Some pictures are smaller than the window.
"""
import json

import numpy as np
import scipy
from scipy import ndimage

MODES = {"zero": "constant", "clamp": "nearest", "mirror": "mirror", "reflect": "reflect", "wrap": "wrap"}


def main():
    random = np.random.default_rng(20261121)
    cases = []
    sizes = [(1, 1), (2, 3), (5, 4), (13, 9)]
    for border, mode in MODES.items():
        for index, (size, percentile) in enumerate([(3, 50), (5, 50), (7, 50), (9, 50), (11, 50), (3, 33), (5, 100), (7, 0), (9, 90)]):
            width, height = sizes[-1 - index % 4]
            image = random.integers(0, 256, (height, width), dtype=np.uint8)
            if percentile == 50:
                result = ndimage.median_filter(image, size=size, mode=mode)
            else:
                result = ndimage.percentile_filter(image, percentile, size=size, mode=mode)
            cases.append({"border": border, "width": width, "height": height, "size": size, "percentile": percentile,
                          "input": image.ravel().tolist(), "output": result.ravel().tolist()})
    print('{"made by": "scripts/reference/median.py, scipy %s, numpy %s",\n "cases": [' % (scipy.__version__, np.__version__))
    print(",\n".join("  " + json.dumps(case) for case in cases))
    print(" ]}")


if __name__ == "__main__":
    main()
