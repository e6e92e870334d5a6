#!/usr/bin/env python3
"""Computes tests/data/sobel.json: both derivatives of small pictures by OpenCV's Sobel masks of sizes 3, 5 and 7, that
the tests of sobel compare with.

    python3 -m venv venv && venv/bin/pip install numpy opencv-python-headless
    venv/bin/python scripts/reference/sobel.py > tests/data/sobel.json

The results are whole numbers, computed in float64. The borders of Threadscape correspond to these constants of OpenCV:
zero = BORDER_CONSTANT, clamp = BORDER_REPLICATE, mirror = BORDER_REFLECT_101, reflect = BORDER_REFLECT.
"""
import json

import cv2
import numpy as np

BORDERS = {"zero": cv2.BORDER_CONSTANT, "clamp": cv2.BORDER_REPLICATE, "mirror": cv2.BORDER_REFLECT_101,
           "reflect": cv2.BORDER_REFLECT}
SIZES = [(11, 9), (8, 17)]


def main():
    random = np.random.default_rng(20261123)
    cases = []
    for size in (3, 5, 7):
        for border, constant in BORDERS.items():
            for width, height in SIZES:
                image = random.integers(0, 256, (height, width)).astype(np.float64)
                # A part without an edge, which has no angle.
                image[:, : width // 2] = np.where(random.random() < 0.5, 90, image[:, : width // 2])
                gx = cv2.Sobel(image, cv2.CV_64F, 1, 0, ksize=size, borderType=constant)
                gy = cv2.Sobel(image, cv2.CV_64F, 0, 1, ksize=size, borderType=constant)
                assert (gx == np.round(gx)).all() and (gy == np.round(gy)).all()
                cases.append({"algorithm": "sobel", "size": size, "border": border, "width": width, "height": height,
                              "input": image.astype(int).ravel().tolist(), "x": gx.astype(int).ravel().tolist(),
                              "y": gy.astype(int).ravel().tolist()})
    print('{"made by": "scripts/reference/sobel.py, opencv %s, numpy %s",\n "cases": [' %
          (cv2.__version__, np.__version__))
    print(",\n".join("  " + json.dumps(case) for case in cases))
    print(" ]}")


main()
