#!/usr/bin/env python3
"""Computes tests/data/clips.json: small files of clips that NumPy and tifffile have written, and their pixels.

    python3 -m venv venv && venv/bin/pip install numpy==2.4.6 tifffile==2026.3.3
    venv/bin/python scripts/reference/clips.py > tests/data/clips.json

The values have the indices frame, row, column, channel. "channels" counts those of the file.
"""
import io
import json

import numpy as np
import tifffile

random = np.random.default_rng(21)
cases = []


def add(name, content, array, element):
    channels = array.shape[3] if array.ndim == 4 else 1
    cases.append({"name": name, "file": content.hex(), "element": element, "frames": array.shape[0],
                  "height": array.shape[1], "width": array.shape[2], "channels": channels,
                  "values": [float(value) for value in np.asarray(array, np.float64).ravel()]})


def frames(dtype, *channels):
    values = random.integers(0, 65536, (3, 2, 5, *channels))
    return (values / 65535 if dtype.startswith("f") else values >> (8 if dtype == "uint8" else 0)).astype(dtype)


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


add("grey8.npy", npy(a := frames("uint8")), a, "u8")
add("grey16.npy", npy(a := frames("uint16")), a, "u16")
add("float32.npy", npy(a := frames("float32")), a, "f32")
add("rgb8.npy", npy(a := frames("uint8", 3)), a, "u8")
add("rgba16.npy", npy(a := frames("uint16", 4)), a, "u16")
add("fortran.npy", npy(a := np.asfortranarray(frames("float32", 3))), a, "f32")
file = io.BytesIO()
np.savez_compressed(file, a=(a := frames("uint8", 4)))
add("rgba8.npz", file.getvalue(), a, "u8")
for name, array, photometric, element in (("grey8.tif", frames("uint8"), "minisblack", "u8"),
                                          ("grey16.tif", frames("uint16"), "minisblack", "u16"),
                                          ("float32.tif", frames("float32"), "minisblack", "f32"),
                                          ("rgb8.tif", frames("uint8", 3), "rgb", "u8")):
    file = io.BytesIO()
    tifffile.imwrite(file, array, photometric=photometric, metadata=None, software=False)
    add(name, file.getvalue(), array, element)

print('{"cases": [')
print(",\n".join(json.dumps(case, separators=(",", ":")) for case in cases))
print("]}")
