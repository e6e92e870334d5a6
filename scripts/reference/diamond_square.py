#!/usr/bin/env python3
"""Computes tests/data/diamond_square.json: the levels of a few terrains that the tests of diamond_square compare with.

    python3 -m venv venv && venv/bin/pip install numpy==1.26.4
    venv/bin/python scripts/reference/diamond_square.py > tests/data/diamond_square.json

The program implements the formula in compute/algorithms/terrain/diamond_square/diamond_square_math.h with whole arrays,
one level at a time. `crc32` is the CRC-32 of the rows of a level's grid as little-endian floats.
"""
import json
import zlib

import numpy as np

MASK = np.uint64(0xFFFFFFFF)


def philox(c0, c1, c2, c3, seed):
    """Computes Philox4x32-10 for arrays of counters, and returns four arrays of words."""
    c = [np.asarray(x, dtype=np.uint64) for x in np.broadcast_arrays(c0, c1, c2, c3)]
    k0, k1 = seed & 0xFFFFFFFF, seed >> 32
    for _ in range(10):
        p0, p1 = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = [(p1 >> np.uint64(32)) ^ c[1] ^ np.uint64(k0), p1 & MASK, (p0 >> np.uint64(32)) ^ c[3] ^ np.uint64(k1), p0 & MASK]
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return c


assert [int(w) for w in philox(0, 0, 0, 0, 0)] == [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]


def halves(seed, level, x, y):
    words = philox(x // 16, y, level, x % 2, seed)
    number = x % 16 // 2
    word = np.choose(number // 2, words)
    return ((word >> (16 * (number % 2)).astype(np.uint64)) & np.uint64(0xFFFF)).astype(np.int64)


class Terrain:
    def __init__(self, mode, edges, roughness, amplitude, seed):
        self.classic, self.wrap = mode == "classic", edges == "wrap"
        self.roughness, self.amplitude, self.seed = roughness, amplitude, seed
        y, x = np.mgrid[0:2, 0:2]
        number = np.zeros_like(x) if self.wrap else 2 * y + x
        k = halves(seed, 0, 2 * number, np.zeros_like(y))
        self.heights = (k >> 8).astype(np.float64) if self.classic else self.displacement(0, k)

    def displacement(self, level, k):
        odd = np.where(k >= 32768, k - 65536, k) | 1
        scale = np.float32(np.float64(np.float32(self.amplitude)) * 2.0 ** (-np.float64(np.float32(self.roughness)) * level) / 32768)
        return odd.astype(np.float32) * scale

    def new(self, level, total, count, x, y):
        cells = 2 ** level
        if self.wrap:
            x, y = x % cells, y % cells
        k = halves(self.seed, level, x, y)
        if not self.classic:
            return np.where(count == 4, total * np.float32(0.25), total / np.float32(3)) + self.displacement(level, k)
        h = max(128 >> (level - 1), 1)
        r = (k * (2 * h + 1) >> 16) - h
        return np.clip((2 * (total.astype(np.int64) + r) + count) // (2 * count), 0, 255).astype(np.float64)

    def grow(self, level):
        cells = 2 ** level
        grid = np.zeros((cells + 1, cells + 1), self.heights.dtype)
        grid[::2, ::2] = self.heights
        y, x = np.mgrid[0:cells + 1, 0:cells + 1]
        d = (slice(1, None, 2), slice(1, None, 2))
        above = self.heights[:-1, :-1] + self.heights[:-1, 1:]
        below = self.heights[1:, :-1] + self.heights[1:, 1:]
        grid[d] = self.new(level, above + below, 4, x[d], y[d])
        if self.wrap:
            around = np.pad(grid[:-1, :-1], 1, mode="wrap")
            around = np.pad(around, ((0, 1), (0, 1)))
            around[:, -1], around[-1, :] = around[:, 2], around[2, :]
        else:
            around = np.pad(grid, 1)
        total = (around[1:-1, :-2] + around[1:-1, 2:]) + (around[:-2, 1:-1] + around[2:, 1:-1])
        rim = (x == 0) | (y == 0) | (x == cells) | (y == cells)
        count = np.where(rim & (not self.wrap), 3, 4)
        squares = self.new(level, total, count, x, y)
        self.heights = np.where((x + y) % 2 == 1, squares, grid).astype(grid.dtype)

    def bytes(self):
        return self.heights.astype(np.uint8 if self.classic else "<f4").tobytes()


def main():
    cases = []
    for mode, edges, roughness, amplitude, seed, n in (
            ("classic", "three", 0.5, 1.0, 1, 10), ("classic", "wrap", 0.5, 1.0, 2, 10),
            ("fractal", "three", 0.5, 1.0, 3, 10), ("fractal", "wrap", 1.0, 100.0, 2 ** 40 + 5, 10),
            ("fractal", "three", 0.0, 0.25, 2 ** 64 - 1, 2)):
        terrain = Terrain(mode, edges, roughness, amplitude, seed)
        sums = []
        for level in range(1, n + 1):
            terrain.grow(level)
            sums.append(zlib.crc32(terrain.bytes()))
        case = {"mode": mode, "edges": edges, "roughness": roughness, "amplitude": amplitude, "seed": seed, "n": n, "crc32": sums}
        if n == 2:
            case["heights"] = [[float(v) for v in row] for row in terrain.heights]
        cases.append(case)
    print('{"made by": "scripts/reference/diamond_square.py, numpy %s",\n "cases": [' % np.__version__)
    print(",\n".join("  " + json.dumps(case) for case in cases))
    print(" ]}")


if __name__ == "__main__":
    main()
