#!/usr/bin/env python3
"""Computes tests/data/dicom.json: small series that pydicom has written, and the voxels that belong to them.

    python3 -m venv venv && venv/bin/pip install numpy==2.4.6 pydicom==3.0.2 imagecodecs==2026.3.6
    venv/bin/python scripts/reference/dicom.py > tests/data/dicom.json

A case is a folder of files. `values` has the slices in their order in space, and of each its rows; compressed pixels
are decoded by imagecodecs or were compressed without loss. `spacing` is along x, y (from slice to slice) and z.
"""
import io
import json

import imagecodecs
import numpy as np
import pydicom
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.encaps import encapsulate
from pydicom.sequence import Sequence
from pydicom.uid import UID

random = np.random.default_rng(31)
cases = []
IMPLICIT, EXPLICIT, BIG = "1.2.840.10008.1.2", "1.2.840.10008.1.2.1", "1.2.840.10008.1.2.2"
RLE, JPEG, JPEG12 = "1.2.840.10008.1.2.5", "1.2.840.10008.1.2.4.50", "1.2.840.10008.1.2.4.51"
LOSSLESS, JPEG_LS, JPEG_2000 = "1.2.840.10008.1.2.4.70", "1.2.840.10008.1.2.4.80", "1.2.840.10008.1.2.4.90"
JPEG_NEAR, JPEG_2000_LOSSY, PART_2 = "1.2.840.10008.1.2.4.81", "1.2.840.10008.1.2.4.91", "1.2.840.10008.1.2.4.92"
COLUMNS, ROWS = 6, 4
AXIAL = [1, 0, 0, 0, 1, 0]


def smooth(count, low, high, dtype, columns=COLUMNS, rows=ROWS):
    """Slices with a gradient and some noise."""
    z, y, x = np.mgrid[0:count, 0:rows, 0:columns]
    grey = (x + 2 * y + 3 * z) / (columns + 2 * rows + 3 * count) + random.uniform(0, 0.1, x.shape)
    return np.round(low + (high - low) * grey / 1.1).astype(dtype)


def compressed(frames, syntax, bits):
    """The frames as the pieces of a compressed file, and the frames that a decoder makes of them."""
    if syntax == JPEG:
        data = [imagecodecs.jpeg8_encode(frame.astype(np.uint8), level=90) for frame in frames]
        return data, [imagecodecs.jpeg8_decode(piece) for piece in data]
    if syntax == JPEG12:
        data = [imagecodecs.jpeg8_encode(frame.astype(np.uint16), level=95, bitspersample=12) for frame in frames]
        return data, [imagecodecs.jpeg8_decode(piece) for piece in data]
    if syntax == LOSSLESS:
        return [imagecodecs.ljpeg_encode(frame, bitspersample=bits) for frame in frames], frames
    if syntax in (JPEG_LS, JPEG_NEAR):
        # JPEG-LS knows no signs, and has the bits of negative numbers.
        data = [imagecodecs.jpegls_encode(frame.view(f"u{frame.itemsize}"), level=2 if syntax == JPEG_NEAR else 0)
                for frame in frames]
        return data, [imagecodecs.jpegls_decode(piece).view(frame.dtype) for piece, frame in zip(data, frames)]
    if syntax in (JPEG_2000, JPEG_2000_LOSSY):
        lossy = syntax == JPEG_2000_LOSSY
        data = [imagecodecs.jpeg2k_encode(frame, codecformat="j2k", bitspersample=bits, reversible=not lossy,
                                          level=50 if lossy else 0) for frame in frames]
        return data, [imagecodecs.jpeg2k_decode(piece) for piece in data]
    if syntax == RLE:
        from pydicom.pixels.encoders import RLELosslessEncoder
        return [RLELosslessEncoder.encode(np.ascontiguousarray(frame), rows=frame.shape[0], columns=frame.shape[1],
                                          samples_per_pixel=1, number_of_frames=1, bits_allocated=frame.itemsize * 8,
                                          bits_stored=bits, pixel_representation=int(frame.dtype.kind == "i"),
                                          photometric_interpretation="MONOCHROME2", encoding_plugin="pydicom")
                for frame in frames], frames
    return [b"\xff\x4f\xff\x51" * 4 for frame in frames], frames  # Part 2 of JPEG 2000, which is refused.


def dataset(frames, syntax, *, bits=None, series="1.2.3.4", number=1, description="head", pieces=1):
    """A dataset with these frames, and the frames as they are read again."""
    ds = Dataset()
    ds.SOPClassUID = "1.2.840.10008.5.1.4.1.1.7"
    ds.SOPInstanceUID = f"{series}.{number}"
    ds.SeriesInstanceUID = series
    ds.SeriesDescription = description
    ds.InstanceNumber = number
    ds.SamplesPerPixel = 1
    ds.PhotometricInterpretation = "MONOCHROME2"
    ds.Rows, ds.Columns = frames[0].shape
    ds.BitsAllocated = 8 * frames[0].itemsize
    ds.BitsStored = bits or ds.BitsAllocated
    ds.HighBit = ds.BitsStored - 1
    ds.PixelRepresentation = int(frames[0].dtype.kind == "i")
    if len(frames) > 1:
        ds.NumberOfFrames = len(frames)
    if syntax in (IMPLICIT, EXPLICIT, BIG):
        words = [frame.astype(frame.dtype.newbyteorder(">")) if syntax == BIG else frame for frame in frames]
        ds.PixelData = b"".join(frame.tobytes() for frame in words)
        ds["PixelData"].VR = "OW" if ds.BitsAllocated > 8 else "OB"
    else:
        data, frames = compressed(frames, syntax, ds.BitsStored)
        ds.PixelData = encapsulate([bytes(piece) for piece in data], fragments_per_frame=pieces)
        ds["PixelData"].VR = "OB"
    return ds, frames


def file_of(ds, syntax):
    meta = FileMetaDataset()
    meta.TransferSyntaxUID = UID(syntax)
    meta.MediaStorageSOPClassUID = ds.SOPClassUID
    meta.MediaStorageSOPInstanceUID = ds.SOPInstanceUID
    meta.ImplementationClassUID = "1.2.3"
    ds.file_meta = meta
    buffer = io.BytesIO()
    pydicom.dcmwrite(buffer, ds, implicit_vr=syntax == IMPLICIT, little_endian=syntax != BIG, enforce_file_format=True)
    return buffer.getvalue()


def series(frames, *, syntax=EXPLICIT, places=None, distance=2.5, plane=AXIAL, spacing=(0.7, 0.5), rescale=None,
           bits=None, change=None, prefix="IM", **more):
    """The files of a series, one for each frame, and the values of each."""
    normal = np.cross(plane[:3], plane[3:])
    files, values = {}, []
    for i, frame in enumerate(frames):
        ds, decoded = dataset([frame], syntax, bits=bits, number=len(frames) - i, **more)
        place = places[i] if places else distance * i
        ds.ImagePositionPatient = [f"{v:.10g}" for v in np.array([-10.0, 20.0, 5.0]) + normal * place]
        ds.ImageOrientationPatient = [f"{v:.10g}" for v in plane]
        ds.PixelSpacing = list(spacing)
        ds.SliceThickness = 9
        slope, intercept = (rescale[i] if isinstance(rescale, list) else rescale) or (1, 0)
        if rescale:
            ds.RescaleSlope, ds.RescaleIntercept = slope, intercept
        if change:
            change(ds, i)
        # The names are in another order than the slices.
        files[f"{prefix}{(i * 7 + 3) % 10}{i}"] = file_of(ds, syntax)
        values.append(decoded[0].astype(np.float64) * slope + intercept)
    return files, values


def add(name, files, values, spacing, note="", refusal="", tolerance=0):
    values = np.array([np.asarray(value, np.float32) for value in values])
    cases.append({"name": name, "files": {key: content.hex() for key, content in files.items()}, "note": note,
                  "refusal": refusal, "tolerance": tolerance, "spacing": spacing,
                  "extents": [values.shape[2], values.shape[1], values.shape[0]] if values.size else [],
                  "values": [float(value) for value in values.ravel()]})


plain = [0.5, 2.5, 0.7]
hounsfield = smooth(4, -900, 1500, np.int16)
add("ct", *series(hounsfield, bits=16, rescale=(2, -1024)), plain)
add("implicit", *series(smooth(3, 0, 4000, np.uint16), syntax=IMPLICIT, bits=12), plain)
add("big_endian", *series(smooth(3, -900, 900, np.int16), syntax=BIG, bits=12), plain)
add("bytes", *series(smooth(3, 0, 250, np.uint8), rescale=[(0.5, 1), (0.25, 2), (2, 0)]), plain)
add("words32", *series(smooth(2, -1e6, 1e6, np.int32)), plain)
oblique = [0.8, 0.6, 0, 0, 0, -1]
add("oblique", *series(smooth(4, 0, 4000, np.uint16), plane=oblique, distance=1.25), [0.5, 1.25, 0.7])

# Numbers of 12 bits with other data in the four bits above them.
low = smooth(2, -900, 900, np.int16)
files, values = series((low & 0x0FFF).astype(np.int16) | np.int16(0x5000), bits=12)
add("unused_bits", files, low, plain)

for name, syntax, dtype, bits, most, tolerance in (
        ("rle", RLE, np.uint16, 12, 4000, 0), ("rle_signed", RLE, np.int16, 16, 4000, 0),
        ("rle_bytes", RLE, np.uint8, 8, 250, 0), ("jpeg", JPEG, np.uint8, 8, 250, 2),
        ("jpeg_12", JPEG12, np.uint16, 12, 4000, 4), ("jpeg_lossless", LOSSLESS, np.uint16, 16, 60000, 0)):
    add(name, *series(smooth(2, -most if np.dtype(dtype).kind == "i" else 0, most, dtype), syntax=syntax, bits=bits),
        plain, tolerance=tolerance)
add("jpeg_ls", *series(smooth(2, 0, 4000, np.uint16), syntax=JPEG_LS), plain)
add("jpeg_2000", *series(smooth(2, 0, 4000, np.uint16), syntax=JPEG_2000, bits=12), plain)


def enhanced(frames, syntax, pieces=1):
    """One file whose functional groups state the place of each frame, in another order than that in space."""
    order = [2, 0, 1]
    ds, decoded = dataset([frames[i] for i in order], syntax, bits=12, pieces=pieces)
    shared, measures, orientation = Dataset(), Dataset(), Dataset()
    measures.PixelSpacing, measures.SliceThickness = [0.7, 0.5], 9
    orientation.ImageOrientationPatient = AXIAL
    shared.PixelMeasuresSequence = Sequence([measures])
    shared.PlaneOrientationSequence = Sequence([orientation])
    ds.SharedFunctionalGroupsSequence = Sequence([shared])
    groups, values = [], [None] * len(frames)
    for i, frame in zip(order, decoded):
        group, place, rescale = Dataset(), Dataset(), Dataset()
        place.ImagePositionPatient = [0, 0, 1.5 * i]
        rescale.RescaleSlope, rescale.RescaleIntercept, rescale.RescaleType = i + 1, -10, "US"
        group.PlanePositionSequence = Sequence([place])
        group.PixelValueTransformationSequence = Sequence([rescale])
        groups.append(group)
        values[i] = frame.astype(np.float64) * (i + 1) - 10
    ds.PerFrameFunctionalGroupsSequence = Sequence(groups)
    return {"enhanced.dcm": file_of(ds, syntax)}, values


for name, syntax, pieces in (("enhanced", EXPLICIT, 1), ("enhanced_implicit", IMPLICIT, 1), ("enhanced_rle", RLE, 1),
                             ("enhanced_pieces", RLE, 2)):
    add(name, *enhanced(smooth(3, 0, 4000, np.uint16), syntax, pieces), [0.5, 1.5, 0.7])

frames = smooth(3, 0, 250, np.uint8)
ds, decoded = dataset(list(frames), EXPLICIT)
ds.PixelSpacing, ds.SpacingBetweenSlices = [0.7, 0.5], 3
add("frames", {"nuclear": file_of(ds, EXPLICIT)}, decoded, [0.5, 3, 0.7],
    note="its slices state no positions and are taken in the order of their numbers")

add("missing", *series(smooth(4, 0, 4000, np.uint16), places=[0, 2.5, 7.5, 10]), plain,
    note="1 slice is missing between 7.5 and 12.5 mm, and those on both sides become neighbours")
add("missing_twice", *series(smooth(6, 0, 4000, np.uint16), places=[0, 1, 2, 5, 6, 8]), [0.5, 1, 0.7],
    note="3 slices are missing at 2 places, the first between 7 and 10 mm, and those on both sides become neighbours")
add("unequal", *series(smooth(4, 0, 4000, np.uint16), places=[0, 2.5, 5, 8.3]), plain,
    note="the distances between slices are from 2.5 to 3.3 mm, and 2.5 is taken for all")
files, values = series(smooth(4, 0, 4000, np.uint16), places=[0, 2.5, 2.5, 5])
add("duplicate", files, [values[0], values[2], values[3]], plain,
    note="1 slice lies where another one does, of which the one with the lowest number is taken")


def tilt(ds, i):
    ds.ImagePositionPatient = [-10, 20 + 0.5 * i, 5 + 2.5 * i]


add("tilted", *series(smooth(3, 0, 4000, np.uint16), change=tilt), plain,
    note="the slices are shifted against each other by 1 mm in all (a tilted gantry), which is not undone")


def placeless(ds, i):
    del ds.ImagePositionPatient


files, values = series(smooth(3, 0, 4000, np.uint16), change=placeless)
add("placeless", files, values[::-1], [0.5, 9, 0.7],
    note="its slices state no positions and are taken in the order of their numbers")

files, values = series(smooth(3, 0, 4000, np.uint16))
localizer, unused = series(smooth(1, 0, 4000, np.uint16, 8, 8), plane=oblique, prefix="localizer")
add("localizer", {**files, **localizer}, values, plain,
    note="1 slice of another size, plane or spacing is left out")
damaged = dict(files)
first = sorted(damaged)[0]
damaged["cut"] = damaged[first][:-10]
add("damaged", damaged, values, plain,
    note="1 file that cannot be read is left out, 'cut': it is truncated")
report = Dataset()
report.SOPClassUID, report.SOPInstanceUID, report.SeriesInstanceUID = "1.2.840.10008.5.1.4.1.1.88.11", "1.2.9", "1.2.9"
add("report", {**files, "report": file_of(report, EXPLICIT), "notes.txt": b"no DICOM"}, values, plain)
other, unused = series(smooth(2, 0, 4000, np.uint16), series="1.2.3.5", description="chest", prefix="other")
add("two_series", {**files, **other}, [], [],
    refusal="it holds 2 DICOM series: open a file of the one that is wanted: 'IM01' of 3 files (head), 'other01' of 2 files (chest)")


def coloured(ds, i):
    ds.PhotometricInterpretation, ds.SamplesPerPixel, ds.PlanarConfiguration = "RGB", 3, 0
    ds.PixelData = ds.PixelData * 3


add("coloured", series(smooth(1, 0, 250, np.uint8), change=coloured)[0], [], [],
    refusal="its pixels are RGB with 3 samples, which are colours and no voxels: grey levels (MONOCHROME1, "
    "MONOCHROME2) are read")
add("jpeg_ls_near", *series(smooth(2, 0, 250, np.uint8), syntax=JPEG_NEAR), plain)
add("jpeg_ls_signed", *series(smooth(2, -4000, 4000, np.int16), syntax=JPEG_LS), plain)
add("jpeg_2000_lossy", *series(smooth(2, 0, 250, np.uint8, 16, 16), syntax=JPEG_2000_LOSSY), plain, tolerance=1)
add("jpeg_2000_signed", *series(smooth(2, -4000, 4000, np.int16), syntax=JPEG_2000), plain)
files, values = series(smooth(2, 0, 4000, np.uint16), syntax=PART_2)
add("jpeg_2000_part_2", files, [], [],
    refusal="(transfer syntax 1.2.840.10008.1.2.4.92): RLE, JPEG, JPEG-LS and JPEG 2000 are read")

print('{"cases": [')
print(",\n".join(json.dumps(case, separators=(",", ":")) for case in cases))
print("]}")
