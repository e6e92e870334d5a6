#!/usr/bin/env python3
"""Writes assets/elements/: rectangles, crosses and ellipses of 3x3 to 11x11 as structuring elements, whose pixels are
white.

    python3 scripts/elements.py [FOLDER]

The pixels are those of OpenCV's getStructuringElement(). The tests compare the files with the elements that the
parameter `shape` of morphology makes for rect, cross and ellipse. The files are binary PGM.
"""
import math
import pathlib
import sys


def in_rect(x, y, size):
    return True


def in_cross(x, y, size):
    return x == size // 2 or y == size // 2


def in_ellipse(x, y, size):
    r = size // 2
    half = round(r * math.sqrt((r * r - (y - r) ** 2) / (r * r)))  # round() rounds ties to even, as OpenCV does.
    return abs(x - r) <= half


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1] / "assets" / "elements")
    folder.mkdir(parents=True, exist_ok=True)
    for name, inside in (("rect", in_rect), ("cross", in_cross), ("ellipse", in_ellipse)):
        for size in (3, 5, 7, 9, 11):
            pixels = bytes(255 if inside(x, y, size) else 0 for y in range(size) for x in range(size))
            (folder / f"{name}_{size}x{size}.pgm").write_bytes(b"P5\n%d %d\n255\n" % (size, size) + pixels)


if __name__ == "__main__":
    main()
