#!/usr/bin/env python3
"""Computes tests/data/pictures.json: small picture files that other programs have written, and their pixels.

    python3 -m venv venv && venv/bin/pip install numpy==2.4.6 pillow==13.0.0 tifffile==2026.3.3 \\
        imagecodecs==2026.3.6 OpenEXR==3.5.3
    venv/bin/python scripts/reference/pictures.py > tests/data/pictures.json

The files come from Pillow (JPEG, PNG, BMP, TGA, WebP, some TIFF), tifffile (TIFF of 16 bit and float), NumPy and
OpenEXR.
"""
import io
import json
import tempfile

import numpy as np
import OpenEXR
import tifffile
from PIL import Image, ImageOps

WIDTH, HEIGHT = 11, 7
rng = np.random.default_rng(20)
cases = []


def smooth(channels, top):
    """Gradients with little noise, which formats with losses keep well, up to the value `top`."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    planes = [(np.sin(x / 4 + c) + np.cos(y / 3 - c) + 2) / 4 for c in range(channels)]
    picture = np.stack(planes, axis=-1) * top + rng.random((HEIGHT, WIDTH, channels)) * top / 100
    return np.minimum(picture, top)


def add(name, content, pixels, tolerance=0.0, colour=None, note=""):
    """A case: the file's bytes, its pixels with 1 channel, or with 4, where the last one is opaque or the alpha, and what
    is left out of it."""
    pixels = np.asarray(pixels)
    element = {"uint8": "u8", "uint16": "u16", "float32": "f32"}[pixels.dtype.name]
    if pixels.ndim == 2:
        pixels = pixels[..., None]
    channels = pixels.shape[2]
    full = {"u8": 255, "u16": 65535, "f32": 1.0}[element]
    opaque = np.full(pixels.shape[:2] + (1,), full, pixels.dtype)
    if channels == 2:
        pixels = np.concatenate([pixels[..., :1]] * 3 + [pixels[..., 1:]], axis=-1)
    elif channels == 3:
        pixels = np.concatenate([pixels, opaque], axis=-1)
    values = [int(v) if v == int(v) else float(v) for v in pixels.ravel()]
    cases.append({
        "name": name, "colour": colour or ["grey", "grey_alpha", "rgb", "rgba"][channels - 1], "element": element,
        "width": pixels.shape[1], "height": pixels.shape[0], "channels": pixels.shape[2], "tolerance": tolerance,
        "values": values, **({"note": note} if note else {}), "file": content.hex()})


def pillow(picture, format, **options):
    file = io.BytesIO()
    picture.save(file, format, **options)
    return file.getvalue()


def tiff(pixels, **options):
    file = io.BytesIO()
    tifffile.imwrite(file, pixels, **options)
    return file.getvalue()


def npy(pixels):
    file = io.BytesIO()
    np.save(file, pixels)
    return file.getvalue()


def opened(content):
    return Image.open(io.BytesIO(content))


grey8, rgb8, rgba8 = (smooth(c, 255).astype(np.uint8) for c in (1, 3, 4))
grey8 = grey8[..., 0]
rgb16, rgba16 = smooth(3, 65535).astype(np.uint16), smooth(4, 65535).astype(np.uint16)
grey16 = rgb16[..., 0].copy()
rgb32, rgba32 = (np.round(smooth(c, 640) - 200).astype(np.float32) / 64 for c in (3, 4))
grey32 = rgb32[..., 0].copy()

# JPEG. Decoders may round the inverse transform and the chroma differently: tolerance 2 of 255.
for name, picture, options in [
        ("grey.jpg", Image.fromarray(grey8), {}),
        ("rgb.jpg", Image.fromarray(rgb8), {"quality": 90}),
        ("progressive.jpg", Image.fromarray(rgb8), {"progressive": True, "subsampling": 2}),
        ("exif.jpg", Image.fromarray(rgb8), {"exif": b"Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0"})]:
    content = pillow(picture, "JPEG", **options)
    add(name, content, np.array(opened(content)), 2)
content = pillow(Image.fromarray(rgba8, "CMYK"), "JPEG", quality=95)
add("cmyk.jpg", content, np.array(opened(content).convert("RGB")), 3, "rgb")
for orientation in range(1, 9):
    exif = Image.Exif()
    exif[274] = orientation
    for name, format, options, tolerance in [("jpg", "JPEG", {"quality": 95, "subsampling": 0}, 2),
                                             ("png", "PNG", {}, 0), ("webp", "WEBP", {"lossless": True}, 0)]:
        content = pillow(Image.fromarray(rgb8[:3, :5]), format, exif=exif, **options)
        add(f"orientation{orientation}.{name}", content, np.array(ImageOps.exif_transpose(opened(content))), tolerance)
    content = tiff(grey16[:3, :5], extratags=[(274, "H", 1, orientation, True)])
    seen = np.array(ImageOps.exif_transpose(opened(pillow(Image.fromarray(grey16[:3, :5]), "PNG", exif=exif))))
    add(f"orientation{orientation}.tif", content, seen.astype(np.uint16))

# BMP and TGA.
add("grey.bmp", pillow(Image.fromarray(grey8), "BMP"), grey8)
add("rgb.bmp", pillow(Image.fromarray(rgb8), "BMP"), rgb8)
add("grey.tga", pillow(Image.fromarray(grey8), "TGA"), grey8)
add("rgba.tga", pillow(Image.fromarray(rgba8), "TGA", compression="tga_rle"), rgba8)

# WebP.
add("rgb.webp", pillow(Image.fromarray(rgb8), "WEBP", lossless=True), rgb8)
add("rgba.webp", pillow(Image.fromarray(rgba8), "WEBP", lossless=True, exact=True), rgba8)
content = pillow(Image.fromarray(rgb8), "WEBP", quality=80)
add("lossy.webp", content, np.array(opened(content)), 2)

# TIFF.
for name, pixels, options in [
        ("grey8", grey8, {}), ("rgb8", rgb8, {"photometric": "rgb"}),
        ("rgba8", rgba8, {"photometric": "rgb", "extrasamples": ["unassalpha"]}),
        ("rgb16_tiles", rgb16, {"photometric": "rgb", "tile": (16, 16), "compression": "zlib", "predictor": True}),
        ("rgba16_lzw", rgba16, {"photometric": "rgb", "extrasamples": ["unassalpha"], "compression": "lzw"}),
        ("grey16_big_endian", grey16, {"byteorder": ">", "rowsperstrip": 2}),
        ("grey16_bigtiff", grey16, {"bigtiff": True}),
        ("grey32_tiles_predictor", grey32, {"tile": (16, 16), "compression": "zlib", "predictor": True}),
        ("rgb32_zstd", rgb32, {"photometric": "rgb", "compression": "zstd"}),
        ("rgba32", rgba32, {"photometric": "rgb", "extrasamples": ["unassalpha"]})]:
    add(name + ".tif", tiff(pixels, **options), pixels)
planes = np.ascontiguousarray(np.moveaxis(rgb16, -1, 0))
add("rgb16_planes.tif", tiff(planes, photometric="rgb", planarconfig="separate"), rgb16)
add("rgb16_planes_tiles.tif", tiff(planes, photometric="rgb", planarconfig="separate", tile=(16, 16)), rgb16)
add("grey64.tif", tiff(grey32.astype(np.float64)), grey32)
add("white_is_zero.tif", tiff(grey16, photometric="miniswhite"), 65535 - grey16)
content = tiff(rgba8[..., :2], photometric="minisblack", extrasamples=["unassalpha"], planarconfig="contig")
add("grey_alpha8.tif", content, rgba8[..., :2])
premultiplied = (rgba16.astype(np.float64) * rgba16[..., 3:] / 65535).round().astype(np.uint16)
premultiplied[..., 3] = rgba16[..., 3]
add("premultiplied16.tif", tiff(premultiplied, photometric="rgb", extrasamples=["assocalpha"]), rgba16,
    float(np.ceil(32768 / rgba16[..., 3].min())) + 1)  # The alpha divides a rounding error of a half.
bits = Image.fromarray(grey8).convert("1")
add("bits.tif", pillow(bits, "TIFF", compression="group4"), np.array(bits.convert("L")))
palette = Image.fromarray(rgb8).quantize(16)
add("palette.tif", pillow(palette, "TIFF"), np.array(palette.convert("RGB")))

# NumPy.
for name, pixels, expected in [
        ("grey8", grey8, grey8), ("rgb8", rgb8, rgb8), ("rgba16", rgba16, rgba16),
        ("grey_alpha32", rgba32[..., :2], rgba32[..., :2]),
        ("fortran16", np.asfortranarray(rgb16), rgb16), ("big_endian", grey32.astype(">f4"), grey32),
        ("double", np.asfortranarray(grey32.astype(np.float64)), grey32),
        ("half", grey32.astype(np.float16), grey32.astype(np.float16).astype(np.float32)),
        ("bool", grey8 > 127, np.where(grey8 > 127, 255, 0).astype(np.uint8)),
        ("one_channel", grey16[..., None], grey16)]:
    add(name + ".npy", npy(pixels), expected)
for name, save in [("stored", np.savez), ("deflated", np.savez_compressed)]:
    file = io.BytesIO()
    save(file, picture=rgb16, other=grey8)
    add(name + ".npz", file.getvalue(), rgb16, note="it has 2 arrays, of which the first is read")


def exr(channels, **header):
    with tempfile.NamedTemporaryFile(suffix=".exr") as file:
        with OpenEXR.File({"type": OpenEXR.scanlineimage, **header}, channels) as out:
            out.write(file.name)
        return open(file.name, "rb").read()


# OpenEXR.
split = lambda pixels, names: {name: np.ascontiguousarray(pixels[..., i]) for i, name in enumerate(names)}
add("rgb_zip.exr", exr(split(rgb32, "RGB"), compression=OpenEXR.ZIP_COMPRESSION), rgb32)
add("rgba_piz.exr", exr(split(rgba32, "RGBA"), compression=OpenEXR.PIZ_COMPRESSION), rgba32)
add("grey.exr", exr({"Y": grey32}, compression=OpenEXR.NO_COMPRESSION), grey32)
add("depth.exr", exr({"Z": grey32}, compression=OpenEXR.RLE_COMPRESSION), grey32)
half = rgb32.astype(np.float16)
add("half.exr", exr(split(half, "RGB"), compression=OpenEXR.ZIPS_COMPRESSION), half.astype(np.float32))
window = (np.array([-3, 5], np.int32), np.array([-3 + WIDTH - 1, 5 + HEIGHT - 1], np.int32))
add("window.exr", exr(split(rgb32, "RGB"), compression=OpenEXR.ZIP_COMPRESSION, dataWindow=window), rgb32)
with tempfile.NamedTemporaryFile(suffix=".exr") as file:
    parts = [OpenEXR.Part({"type": OpenEXR.scanlineimage}, channels, name=name)
             for name, channels in (("near", split(rgb32, "RGB")), ("far", {"Y": grey32}))]
    with OpenEXR.File(parts) as out:
        out.write(file.name)
    add("parts.exr", open(file.name, "rb").read(), rgb32, note="it has 2 parts, of which the first is read")

print('{"cases": [')
print(",\n".join(json.dumps(case, separators=(",", ":")) for case in cases))
print("]}")
