#!/usr/bin/env python3
"""Computes tests/data/terrain.json: a small heightfield; its heights after erosion, and after normalisation; and its
slopes.

    python3 -m venv venv && venv/bin/pip install numpy==1.26.4 scipy==1.11.4
    venv/bin/python scripts/reference/terrain.py > tests/data/terrain.json

The computation is in float64. Erosion works on a field that is padded with NaN, into which no material slides. Rises
are those of numpy.gradient: central differences, and one-sided differences at the border. Slopes are 255 times the sine
of the slope angle, not rounded.
"""
import json

import numpy as np
from scipy import ndimage

WIDTH, HEIGHT = 23, 17


def erode(h, talus):
    padded = np.pad(h, 1, constant_values=np.nan)
    change = np.zeros_like(h)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            if dx == dy == 0:
                continue
            diagonal = dx != 0 and dy != 0
            limit = talus * (np.sqrt(2) if diagonal else 1)
            d = padded[1 + dy:1 + dy + HEIGHT, 1 + dx:1 + dx + WIDTH] - h
            slides = np.sign(d) * np.maximum(np.abs(d) - limit, 0)
            change += np.nan_to_num(slides) * (1 / 16 if diagonal else 1 / 8)
    return h + change


def main():
    random = np.random.default_rng(20261121)
    h = np.round(ndimage.gaussian_filter(random.normal(0, 6, (HEIGHT, WIDTH)), 1) * 64) / 64
    eroded = h
    for _ in range(6):
        eroded = erode(eroded, 0.125)
    normalised = -2 + (h - h.min()) / (h.max() - h.min()) * 7
    gy, gx = np.gradient(h * 0.5)
    slope = 255 * np.sqrt(gx ** 2 + gy ** 2) / np.sqrt(gx ** 2 + gy ** 2 + 1)
    rows = lambda a: [[round(float(v), 7) for v in row] for row in a]
    print(json.dumps({"made by": "scripts/reference/terrain.py, numpy %s" % np.__version__, "width": WIDTH,
                      "height": HEIGHT, "input": rows(h), "eroded": rows(eroded), "normalised": rows(normalised),
                      "slope": rows(slope)}))


if __name__ == "__main__":
    main()
