#!/usr/bin/env python3
"""Computes tests/data/nifti.json: small NIfTI files that nibabel has written, and the voxels that it reads from them.

    python3 -m venv venv && venv/bin/pip install numpy==2.4.6 nibabel==5.4.2
    venv/bin/python scripts/reference/nifti.py > tests/data/nifti.json

`values` has the order of the file, in which the first index varies fastest. `spacing` is along x, y and z, where y is
the third index of the file and z the second. Files that are cut below `needed` bytes cannot be read.
"""
import gzip
import io
import json

import nibabel as nib
import numpy as np

random = np.random.default_rng(29)
voxels = np.round(random.normal(0, 100, (5, 3, 4)))
cases = []


def fitting(dtype, array=voxels):
    """The voxels as numbers of this type; those without sign are made positive."""
    kind = np.dtype(dtype).kind
    low, high = (np.iinfo(dtype).min, np.iinfo(dtype).max) if kind in "iu" else (-1e9, 1e9)
    return (np.abs(array) if kind == "u" else array).clip(low, high).astype(dtype)


def add(name, array, *, version=1, big=False, zooms=(0.7, 1.5, 2.0), units="mm", scale=None, stored=None, pack=None,
        pair=False, note="", needed=None):
    kinds = {1: (nib.Nifti1Pair, nib.Nifti1Image, nib.Nifti1Header), 2: (nib.Nifti2Pair, nib.Nifti2Image, nib.Nifti2Header)}
    make_pair, make_single, make_header = kinds[version]
    header = make_header(endianness=">" if big else "<")
    header.set_data_dtype(stored or array.dtype)
    image = (make_pair if pair else make_single)(array, None, header, dtype=stored or array.dtype)
    image.header.set_zooms(tuple(zooms) + (1.0,) * (array.ndim - len(zooms)))
    image.header.set_xyzt_units(units, "sec")
    if scale:
        image.header.set_slope_inter(*scale)
    files = image.to_bytes() if not pair else None
    if pair:
        maps = make_pair.make_file_map({"header": io.BytesIO(), "image": io.BytesIO()})
        image.to_file_map(maps)
        files = maps["header"].fileobj.getvalue()
        numbers = maps["image"].fileobj.getvalue()
        read = make_pair.from_file_map(maps).get_fdata()
    else:
        read = type(image).from_bytes(files).get_fdata()
    if pack == "gzip":
        files = gzip.compress(files, mtime=0)
    if pack == "parts":
        files = gzip.compress(files[:300], mtime=0) + gzip.compress(files[300:], mtime=0)
    first = read.reshape(read.shape[:3] + (-1,))[..., 0] if read.ndim > 3 else read
    unit = {"mm": 1.0, "meter": 1000.0, "micron": 0.001, "unknown": 1.0}[units]
    case = {"name": name, "file": files.hex(), "extents": [*first.shape, 1][:3], "note": note,
            "needed": len(files) if needed is None else needed,
            "spacing": [zooms[0] * unit, (zooms[2] if len(zooms) > 2 else 1.0 / unit) * unit, zooms[1] * unit],
            "values": [float(value) for value in first.astype(np.float32).ravel(order="F")]}
    if pair:
        case["numbers"] = numbers.hex()
    cases.append(case)


for dtype in ("u1", "i2", "i4", "f4", "f8", "i1", "u2", "u4", "i8", "u8"):
    add(dtype + ".nii", fitting(dtype))
for dtype in ("i2", "u4", "i8", "f4", "f8"):
    add("big_" + dtype + ".nii", fitting(dtype), big=True)
add("second_i2.nii", fitting("i2"), version=2)
add("second_big_f8.nii", fitting("f8"), version=2, big=True)
add("scaled.nii", fitting("i2"), scale=(0.25, -1024.0))
add("second_scaled.nii", fitting("u1"), version=2, scale=(3.0, 0.5))
add("scaled_by_nibabel.nii", voxels * 0.37, stored=np.int16)
add("packed.nii.gz", fitting("f4"), pack="gzip")
add("packed_i2.nii.gz", fitting("i2"), pack="gzip", big=True, version=2, scale=(2.0, 1.0))
add("parts.nii.gz", fitting("f4"), pack="parts")
add("not_packed.nii.gz", fitting("i2"))
add("packed.nii", fitting("i2"), pack="gzip")
add("metres.nii", fitting("i2"), units="meter", zooms=(0.002, 0.5, 0.25))
add("microns.nii", fitting("i2"), units="micron", zooms=(500.0, 250.0, 2000.0))
add("unknown_unit.nii", fitting("i2"), units="unknown")
add("slice.nii", fitting("i2", voxels[:, :, 0]), zooms=(0.5, 2.0))
times = np.round(random.normal(0, 100, (5, 3, 4, 3)))
add("times.nii", fitting("i2", times), zooms=(0.7, 1.5, 2.0, 2.5), note="holds 3 volumes: the first one is read",
    needed=352 + 2 * times[..., 0].size)
add("times.nii.gz", fitting("f4", times), zooms=(0.7, 1.5, 2.0, 2.5), pack="gzip",
    note="holds 3 volumes: the first one is read", needed=100)
add("one_time.nii", fitting("f4", times[..., :1]), zooms=(0.7, 1.5, 2.0, 2.5))
add("pair.hdr", fitting("i2"), pair=True)
add("second_pair.hdr", fitting("f4"), pair=True, version=2, big=True)

print('{"cases": [')
print(",\n".join(json.dumps(case, separators=(",", ":")) for case in cases))
print("]}")
