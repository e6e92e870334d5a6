"""Arrays as pictures that notebooks show."""

import pathlib
import struct
import zlib

import numpy


class Picture(bytes):
    """The bytes of a PNG, which notebooks show."""

    def _repr_png_(self):
        return bytes(self)

    def save(self, path):
        """Writes the picture to a file."""
        pathlib.Path(path).write_bytes(self)

    def __repr__(self):
        width, height = struct.unpack(">II", self[16:24])
        return f"<{width} x {height} PNG, {len(self)} bytes>"

    __str__ = __repr__


def png(array):
    """The bytes of a PNG of an array of 8-bit values, grey or with 3 or 4 channels."""
    rows, columns = array.shape[:2]
    colour = {1: 0, 3: 2, 4: 6}[1 if array.ndim == 2 else array.shape[2]]
    lines = array.reshape(rows, -1)
    filtered = numpy.zeros((rows, lines.shape[1] + 1), numpy.uint8)
    filtered[:, 1:] = lines

    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", columns, rows, 8, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        chunk(*part) for part in ((b"IHDR", header), (b"IDAT", zlib.compress(filtered, 1)), (b"IEND", b""))
    )


def visible(array):
    """A picture of an array in 8 bits: 16 bits lose their lower half, and other numbers fill the range. Of a volume or a
    clip the slice in the middle is taken, of a sequence nothing can be shown."""
    if array.ndim > 2 and not (array.ndim == 3 and array.shape[2] in (3, 4)):
        return visible(array[len(array) // 2])
    if array.ndim < 2:
        raise ValueError(f"an array of shape {array.shape} is no picture")
    if array.dtype == numpy.uint8:
        return array
    if array.dtype == numpy.uint16:
        return (array >> 8).astype(numpy.uint8)
    finite = array[numpy.isfinite(array)]
    low, high = (finite.min(), finite.max()) if finite.size else (0, 1)
    scaled = (array.astype(numpy.float64) - low) * (255 / ((high - low) or 1))
    return numpy.nan_to_num(scaled, nan=0, posinf=255, neginf=0).round().astype(numpy.uint8)


def picture(array):
    """A PNG of an array: bytes are shown as they are, 16 bits lose their lower half, and other numbers fill the range."""
    return Picture(png(visible(numpy.asarray(array))))
