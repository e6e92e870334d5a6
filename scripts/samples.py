#!/usr/bin/env python3
"""Extracts the CC0 and public-domain photos from the scikit-image package and writes a file with their credits beside
them. Two photos are also converted to binary ones, white on black, because hit-or-miss accepts only binary pictures.

    samples.py WHEEL FOLDER

Origin and licence of each are stated in skimage/data/_fetchers.py of that package; photos without a statement are left
out.
"""
import pathlib
import struct
import sys
import zipfile
import zlib

CC0 = "CC0 1.0"
PUBLIC_DOMAIN = "public domain"

# Columns: file, what it shows, who made it, licence.
PHOTOS = [
    ("astronaut.png", "Astronaut Eileen Collins", "NASA, Great Images in NASA", PUBLIC_DOMAIN),
    ("brick.png", "Brick wall", "CC0Textures, Bricks25; transformed by the scikit-image authors", CC0),
    ("camera.png", "Camera and photographer", "Lav Varshney", CC0),
    ("cell.png", "Cell in saline, quantitative phase image", "Paul Müller et al., Optics Express 26(8), 2018", CC0),
    ("chelsea.png", "Chelsea the cat", "Stefan van der Walt", CC0),
    ("clock_motion.png", "Wall clock, blurred by motion", "Stefan van der Walt", PUBLIC_DOMAIN),
    ("coffee.png", "Coffee cup, courtesy of Pikolo Espresso Bar", "Rachel Michetti", CC0),
    ("grass.png", "Grass", "linolafett, DeviantArt; cropped by the scikit-image authors", CC0),
    ("gravel.png", "Gravel", "CC0Textures, Gravel04; cropped by the scikit-image authors", CC0),
    ("hubble_deep_field.jpg", "Hubble eXtreme Deep Field", "NASA, HubbleSite", PUBLIC_DOMAIN),
    ("retina.jpg", "Human retina", "Mikael Häggström, WikiJournal of Medicine 1(2), 2014", CC0),
    ("rocket.jpg", "Launch of DSCOVR on Falcon 9", "SpaceX Photos", PUBLIC_DOMAIN),
    ("text.png", "Handwriting on lined paper", "Wikipedia, Corner.png", PUBLIC_DOMAIN),
]

# Columns: file, original, what it shows, who made the original, licence, and by how many grey levels a foreground pixel
# is darker than the mean of its surroundings (0: it is darker than 128).
BINARY = [
    ("binary_horse.png", "horse.png", "Silhouette of a horse, made binary", "Andreas Preuss (marauder), openclipart", CC0, 0),
    ("binary_text.png", "text.png", "Handwriting, made binary", "Wikipedia, Corner.png", PUBLIC_DOMAIN, 14),
]


def read_grey(png):
    """Returns the first channel of an 8-bit PNG as rows of numbers."""
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", png[16:29])
    if depth != 8 or interlaced:
        raise ValueError("only 8-bit PNG without interlacing is read")
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[colour]
    packed, at = b"", 8
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        if kind == b"IDAT":
            packed += png[at + 8 : at + 8 + length]
        at += 12 + length
    data = zlib.decompress(packed)
    above, rows = [0] * (width * channels), []
    for y in range(height):
        start = y * (width * channels + 1)
        kind, line = data[start], list(data[start + 1 : start + 1 + width * channels])
        for i, value in enumerate(line):
            left = line[i - channels] if i >= channels else 0
            up, corner = above[i], above[i - channels] if i >= channels else 0
            guess = left + up - corner
            # Of equally near values, Paeth's predictor takes the first in this order, and so does min().
            nearest = min((left, up, corner), key=lambda v: abs(guess - v))
            line[i] = (value + (0, left, up, (left + up) // 2, nearest)[kind]) % 256
        rows.append(line[::channels])
        above = line
    return rows


def write_grey(path, rows):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 9)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b""))


def binary(rows, darker):
    """Returns a binary picture that is white where a pixel is darker than 128. If `darker` is not 0, it is white where a
    pixel is darker by that much than the mean of its 31 x 31 neighbours, for photos of paper that is not evenly lit."""
    if not darker:
        return [[255 if value < 128 else 0 for value in row] for row in rows]
    height, width, reach = len(rows), len(rows[0]), 15
    sums = [[0] * (width + 1)]
    for row in rows:
        sums.append([0])
        for x, value in enumerate(row):
            sums[-1].append(value + sums[-1][x] + sums[-2][x + 1] - sums[-2][x])

    def is_ink(x, y):
        left, right = max(x - reach, 0), min(x + reach + 1, width)
        top, bottom = max(y - reach, 0), min(y + reach + 1, height)
        total = sums[bottom][right] - sums[bottom][left] - sums[top][right] + sums[top][left]
        return total - rows[y][x] * (right - left) * (bottom - top) > darker * (right - left) * (bottom - top)

    return [[255 if is_ink(x, y) else 0 for x in range(width)] for y in range(height)]


def main() -> int:
    wheel, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    package = "-".join(wheel.name.split("-")[:2]).replace("_", "-", 1)
    credits = [
        "# Sample photos",
        "",
        f"Taken from the package {package}, which states their origin and licence. Unchanged but where the table says otherwise.",
        "",
        "| file | shows | by | licence |",
        "| --- | --- | --- | --- |",
    ]
    with zipfile.ZipFile(wheel) as archive:
        for name, shows, by, licence in PHOTOS:
            (folder / name).write_bytes(archive.read(f"skimage/data/{name}"))
            credits.append(f"| {name} | {shows} | {by} | {licence} |")
        for name, origin, shows, by, licence, darker in BINARY:
            write_grey(folder / name, binary(read_grey(archive.read(f"skimage/data/{origin}")), darker))
            credits.append(f"| {name} | {shows} | {by} | {licence} |")
    # The credits are written last, because scripts/setup takes their presence as the sign that the folder is complete.
    (folder / "CREDITS.md").write_text("\n".join(credits) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
