#!/usr/bin/env python3
"""Computes tests/data/morphology.json: small results of SciPy, scikit-image and OpenCV that the tests of morphology
compare with.

    python3 -m venv venv
    venv/bin/pip install numpy==1.26.4 scipy==1.11.4 scikit-image==0.26.0 opencv-python-headless==4.11.0.86
    venv/bin/python scripts/reference/morphology.py > tests/data/morphology.json

`grey` holds results of scipy.ndimage.grey_erosion, grey_dilation, grey_opening and grey_closing with a footprint that
is flat or has a structure (grey levels). The borders of Threadscape correspond to these modes of SciPy: clamp =
nearest, mirror = mirror, reflect = reflect, wrap = wrap. For the border `neutral`, erosion is computed with the
constant 255 and dilation with 0, for flat elements only, because otherwise the level of the element would be added to
the constant. SciPy's dilation reflects the footprint, and so does Threadscape's. SciPy takes an origin as the distance
from the centre size // 2. For an even size, the centre of the reflected footprint is one pixel off, which SciPy
corrects itself.
`reconstruct` holds results of skimage.morphology.reconstruction of an erosion under the original picture, with eight
neighbours.
`elements` holds results of cv2.getStructuringElement, each row as a string of 0 and 1.
"""
import json

import cv2
import numpy as np
import scipy
import skimage
from scipy import ndimage
from skimage.morphology import reconstruction

MODES = {"clamp": "nearest", "mirror": "mirror", "reflect": "reflect", "wrap": "wrap"}
OPERATIONS = {"erode": ndimage.grey_erosion, "dilate": ndimage.grey_dilation, "open": ndimage.grey_opening,
              "close": ndimage.grey_closing}


def flat_list(array):
    return np.asarray(array).astype(int).ravel().tolist()


def footprint(random, height, width, origin_y, origin_x):
    part = random.random((height, width)) < 0.6
    part[origin_y, origin_x] = True
    return part


def main():
    random = np.random.default_rng(20261121)
    cases = []
    for border in ["neutral", *MODES]:
        for index, (name, operation) in enumerate(OPERATIONS.items()):
            for levels in (False, True):
                if border == "neutral" and (levels or name in ("open", "close")):
                    continue
                height, width = [(3, 3), (2, 5), (5, 4), (1, 3)][(index + levels) % 4]
                size_y, size_x = [(13, 9), (6, 11), (8, 8)][(index + 2 * levels) % 3]
                origin_y, origin_x = int(random.integers(0, height)), int(random.integers(0, width))
                part = footprint(random, height, width, origin_y, origin_x)
                image = random.integers(0, 256, (size_y, size_x)).astype(np.uint8)
                structure = random.integers(1, 60, (height, width)) if levels else np.zeros((height, width), int)
                options = {"footprint": part, "structure": structure.astype(np.int64) if levels else None,
                           "origin": (origin_y - height // 2, origin_x - width // 2)}
                if border == "neutral":
                    options.update(mode="constant", cval=255 if name == "erode" else 0)
                else:
                    options.update(mode=MODES[border])
                # The computation uses 64-bit integers and clips to 0..255 after each operation, as Threadscape does.
                source = image.astype(np.int64)
                if name in ("open", "close"):
                    first, second = (("erode", "dilate") if name == "open" else ("dilate", "erode"))
                    half = np.clip(OPERATIONS[first](source, **options), 0, 255)
                    result = np.clip(OPERATIONS[second](half, **options), 0, 255)
                    if not levels:
                        assert (result == operation(source, **options)).all()
                else:
                    result = np.clip(operation(source, **options), 0, 255)
                cases.append({"operation": name, "border": border, "width": size_x, "height": size_y,
                              "element_width": width, "element_height": height, "origin_x": origin_x, "origin_y": origin_y,
                              "flat": not levels, "element": flat_list(np.where(part, structure if levels else 255, 0)),
                              "input": flat_list(image), "output": flat_list(result)})
    rebuilt = []
    for size_y, size_x, size in [(9, 14, 3), (16, 10, 5)]:
        image = (ndimage.uniform_filter(random.random((size_y, size_x)), 3) * 255).astype(np.uint8)
        marker = ndimage.grey_erosion(image, size=(size, size), mode="constant", cval=255)
        rebuilt.append({"width": size_x, "height": size_y, "size": size, "input": flat_list(image),
                        "output": flat_list(reconstruction(marker, image, footprint=np.ones((3, 3))))})
    elements = []
    for shape, kind in (("rect", cv2.MORPH_RECT), ("cross", cv2.MORPH_CROSS), ("ellipse", cv2.MORPH_ELLIPSE)):
        for width, height in [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 3), (7, 7), (8, 5), (9, 9), (1, 4), (11, 11), (5, 12),
                              (21, 20), (31, 31)]:
            element = cv2.getStructuringElement(kind, (width, height))
            elements.append({"shape": shape, "width": width, "height": height,
                             "rows": ["".join(str(int(v)) for v in row) for row in element]})
    print('{"made by": "scripts/reference/morphology.py, scipy %s, scikit-image %s, opencv %s, numpy %s",' %
          (scipy.__version__, skimage.__version__, cv2.__version__, np.__version__))
    for name, items in (("grey", cases), ("reconstruct", rebuilt), ("elements", elements)):
        print(' "%s": [' % name)
        print(",\n".join("  " + json.dumps(item) for item in items))
        print(" ]" + ("," if name != "elements" else ""))
    print("}")


if __name__ == "__main__":
    main()
