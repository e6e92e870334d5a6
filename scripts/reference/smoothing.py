#!/usr/bin/env python3
"""Computes tests/data/smoothing.json: small results of scipy.ndimage for threshold_mean, rotating_mask and bilateral.

    python3 -m venv venv && venv/bin/pip install numpy==1.26.4 scipy==1.11.4
    venv/bin/python scripts/reference/smoothing.py > tests/data/smoothing.json

threshold_mean is scipy.ndimage.uniform_filter in float64 and floor(x + 0.5); where the result differs from the old
value by more than the threshold, the old value stays. rotating_mask is generic_filter with the masks that are drawn
below; variances are exact fractions, and the first mask of minimum variance is taken. bilateral is generic_filter in
float64, not rounded. The borders of Threadscape correspond to these modes of SciPy: zero = constant (cval 0), clamp =
nearest, mirror = mirror, reflect = reflect, wrap = wrap (which equals grid-wrap).
"""
import json
from fractions import Fraction

import numpy as np
import scipy
from scipy import ndimage

MODES = {"zero": "constant", "clamp": "nearest", "mirror": "mirror", "reflect": "reflect", "wrap": "wrap"}
SIZES = [(13, 9), (5, 4), (2, 3)]

NAGAO_5 = ["""..... .###. .###. .###. .....""",
           """.###. .###. ..#.. ..... .....""", """..... ...## ..### ...## .....""",
           """..... ..... ..#.. .###. .###.""", """..... ##... ###.. ##... .....""",
           """...## ..### ..##. ..... .....""", """..... ..... ..##. ..### ...##""",
           """..... ..... .##.. ###.. ##...""", """##... ###.. .##.. ..... ....."""]
KUWAHARA_5 = ["""###.. ###.. ###.. ..... .....""", """..### ..### ..### ..... .....""",
              """..... ..... ###.. ###.. ###..""", """..... ..... ..### ..### ..###"""]


def rotating(masks):
    chosen = [[i for i, c in enumerate(mask.replace(" ", "")) if c == "#"] for mask in masks]

    def pick(window):
        best = None
        for mask in chosen:
            values = [int(window[i]) for i in mask]
            mean = Fraction(sum(values), len(values))
            variance = Fraction(sum(v * v for v in values), len(values)) - mean * mean
            if best is None or variance < best[0]:
                best = (variance, mean)
        return int(best[1] + Fraction(1, 2))
    return pick


def bilateral(radius, sigma_space, sigma_range):
    y, x = np.mgrid[-radius:radius + 1, -radius:radius + 1]
    space = np.exp(-0.5 * (x * x + y * y) / sigma_space ** 2).ravel()

    def mean(window):
        centre = window[window.size // 2]
        weights = space * np.exp(-0.5 * ((window - centre) / sigma_range) ** 2)
        return (weights * window).sum() / weights.sum()
    return mean


def main():
    random = np.random.default_rng(20261121)
    cases = []

    def add(algorithm, border, image, result, digits=None, **params):
        output = result.ravel().tolist() if digits is None else [round(float(v), digits) for v in result.ravel()]
        cases.append({"algorithm": algorithm, "border": border, "width": image.shape[1], "height": image.shape[0],
                      "params": params, "input": image.ravel().tolist(), "output": output})

    for index, (border, mode) in enumerate(MODES.items()):
        for size, threshold in ((3, 255), (5, 40), (9, 90)):
            image = random.integers(0, 256, SIZES[(index + size) % 3][::-1])
            mean = np.floor(ndimage.uniform_filter(image.astype(float), size=size, mode=mode) + 0.5 + 1e-9).astype(int)
            add("threshold_mean", border, image, np.where(abs(mean - image) <= threshold, mean, image), size=size,
                threshold=threshold)
        for method, masks in (("nagao", NAGAO_5), ("kuwahara", KUWAHARA_5)):
            image = random.integers(0, 256, SIZES[index % 2][::-1])
            result = ndimage.generic_filter(image.astype(float), rotating(masks), size=5, mode=mode).astype(int)
            add("rotating_mask", border, image, result, size=5, method=method)
        for sigma_space, sigma_range in ((1.0, 25.0), (2.5, 60.0)):
            image = random.integers(0, 256, SIZES[index % 2][::-1])
            radius = int(np.ceil(2 * sigma_space))
            result = ndimage.generic_filter(image.astype(float), bilateral(radius, sigma_space, sigma_range),
                                            size=2 * radius + 1, mode=mode)
            add("bilateral", border, image, result, digits=4, sigma_space=sigma_space, sigma_range=sigma_range)
    print('{"made by": "scripts/reference/smoothing.py, scipy %s, numpy %s",\n "cases": [' % (scipy.__version__, np.__version__))
    print(",\n".join("  " + json.dumps(case) for case in cases))
    print(" ]}")


if __name__ == "__main__":
    main()
