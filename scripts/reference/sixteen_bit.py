#!/usr/bin/env python3
"""Computes tests/data/sixteen_bit.json: small results of scipy.ndimage for 16-bit pictures.

    python3 -m venv venv && venv/bin/pip install numpy==1.26.4 scipy==1.11.4
    venv/bin/python scripts/reference/sixteen_bit.py > tests/data/sixteen_bit.json

The reference of the median is exact. The others are computed in float64, rounded to nearest and limited to 0..65535.
"""
import json

import numpy as np
import scipy
from scipy import ndimage


def rounded(values):
    return np.clip(np.floor(values + 0.5), 0, 65535).astype(np.int64)


def main():
    random = np.random.default_rng(20261123)
    height, width = 9, 13
    laplacian = np.array([[0, 1, 0], [1, -4, 1], [0, 1, 0]], dtype=np.float64)
    cases = []
    for low, high in [(0, 65536), (30000, 30300), (0, 4096)]:
        image = random.integers(low, high, (height, width), dtype=np.uint16)
        wide = image.astype(np.float64)
        gx, gy = ndimage.sobel(wide, 1, mode="mirror"), ndimage.sobel(wide, 0, mode="mirror")
        results = {
            "median": ({"size": "5"}, ndimage.median_filter(image, size=5, mode="mirror").astype(np.int64)),
            "mean": ({"size": "5"}, rounded(ndimage.uniform_filter(wide, size=5, mode="mirror"))),
            "sobel": ({"norm": "l1"}, rounded(np.abs(gx) + np.abs(gy))),
            "laplacian": ({"kind": "four"}, rounded(np.abs(ndimage.correlate(wide, laplacian, mode="mirror")))),
        }
        for name, (parameters, result) in results.items():
            cases.append({"algorithm": name, "parameters": parameters, "width": width, "height": height,
                          "input": image.ravel().tolist(), "output": result.ravel().tolist()})
    print('{"made by": "scripts/reference/sixteen_bit.py, scipy %s, numpy %s",\n "cases": [' % (scipy.__version__, np.__version__))
    print(",\n".join("  " + json.dumps(case) for case in cases))
    print(" ]}")


if __name__ == "__main__":
    main()
