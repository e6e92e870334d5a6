#!/usr/bin/env python3
"""Computes tests/data/volumes.json: small volume files that NumPy and pynrrd have written, and their voxels.

    python3 -m venv venv && venv/bin/pip install numpy==2.4.6 pynrrd==1.1.3
    venv/bin/python scripts/reference/volumes.py > tests/data/volumes.json

The voxels have the indices y, z, x.
"""
import io
import json
import re
import tempfile

import nrrd
import numpy as np

random = np.random.default_rng(17)
voxels = np.round(random.normal(0, 100, (4, 3, 5)))
cases = []


def add(name, content, values, spacing=(1, 1, 1)):
    cases.append({"name": name, "file": content.hex(), "spacing": spacing,
                  "values": [float(value) for value in np.asarray(values, np.float64).ravel()]})


def add_npy(name, array):
    file = io.BytesIO()
    np.save(file, array)
    add(name + ".npy", file.getvalue(), array)


def add_nrrd(name, array, encoding, **header):
    with tempfile.NamedTemporaryFile(suffix=".nrrd") as file:
        # pynrrd writes the first index as the fastest one, unless it is told otherwise.
        nrrd.write(file.name, array, {"encoding": encoding, **header}, index_order="C")
        content = re.sub(rb"(?m)^# .*\n", b"", open(file.name, "rb").read())  # A comment states the time.
    spacing = header.get("spacings", [1, 1, 1])  # Along the axes of the file: x, z and y.
    add(name + ".nrrd", content, array, [spacing[0], spacing[2], spacing[1]])


for dtype in ("uint8", "uint16", "int16", "int32", "float16", "float32", "float64", ">f4", ">i2"):
    array = np.abs(voxels).clip(0, 255).astype(dtype) if dtype.startswith("u") else voxels.astype(dtype)
    add_npy(dtype.replace(">", "big_"), array)
add_npy("fortran", np.asfortranarray(voxels.astype(np.float32)))
for dtype in ("uint8", "uint16", "int16", "float32", "float64"):
    array = np.abs(voxels).clip(0, 255).astype(dtype) if dtype.startswith("u") else voxels.astype(dtype)
    add_nrrd(dtype + "_raw", array, "raw")
    add_nrrd(dtype + "_gzip", array, "gzip", spacings=[0.5, 2.0, 3.0])

print('{"cases": [')
print(",\n".join(json.dumps(case, separators=(",", ":")) for case in cases))
print("]}")
