"""Arrays as PNG, and the widget with sliders without a browser: what it sends, and computes when values change."""

import struct
import zlib

import numpy
import pytest
import threadscape as ts
from threadscape.pictures import png, visible


def decoded(data):
    """The values of a PNG without filters."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at : at + 8])
        chunks[name] = data[at + 8 : at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0] == zlib.crc32(name + chunks[name])
        at += 12 + length
    columns, rows, bits, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    channels = {0: 1, 2: 3, 6: 4}[colour]
    lines = numpy.frombuffer(zlib.decompress(chunks[b"IDAT"]), numpy.uint8).reshape(rows, 1 + columns * channels)
    assert bits == 8 and not lines[:, 0].any()
    return lines[:, 1:].reshape((rows, columns) if channels == 1 else (rows, columns, channels))


@pytest.mark.parametrize("shape", [(5, 7), (5, 7, 3), (5, 7, 4)])
def test_a_png_holds_the_values(shape):
    values = numpy.random.default_rng(1).integers(0, 255, shape).astype(numpy.uint8)
    assert numpy.array_equal(decoded(png(values)), values)


def test_other_numbers_fill_the_range():
    assert visible(numpy.array([[0.5, 1.5], [numpy.nan, numpy.inf]])).tolist() == [[0, 255], [0, 255]]
    assert visible(numpy.full((2, 2), 7.0)).tolist() == [[0, 0], [0, 0]]
    assert visible(numpy.array([[0x1234]], numpy.uint16)).tolist() == [[0x12]]
    assert visible(numpy.zeros((9, 5, 6))).shape == (5, 6)
    with pytest.raises(ValueError, match="no picture"):
        visible(numpy.zeros(3))


def test_an_array_is_shown_as_a_png():
    values = numpy.arange(35, dtype=numpy.uint8).reshape(5, 7)
    shown = ts.picture(values)
    assert numpy.array_equal(decoded(shown._repr_png_()), values) and str(shown) == repr(shown) == f"<7 x 5 PNG, {len(shown)} bytes>"


def test_a_changed_value_is_computed_and_a_wrong_one_is_said():
    pytest.importorskip("anywidget")
    image = numpy.random.default_rng(2).integers(0, 255, (30, 40)).astype(numpy.uint8)
    widget = ts.widget(ts.median, image, size=5)
    assert {"size", "border", "backend"} <= {field["name"] for field in widget.fields}
    assert numpy.array_equal(decoded(widget.picture), ts.median(image, size=5))
    assert widget.said.startswith("30 x 40 uint8, ") and widget.milliseconds > 0
    widget.values = {**widget.values, "size": 7, "backend": "serial"}
    assert numpy.array_equal(widget.result, ts.median(image, size=7))
    before = widget.picture
    widget.values = {**widget.values, "size": 4}
    assert widget.wrong and "size" in widget.said and widget.picture == before
    widget.values = {**widget.values, "size": 3}
    assert not widget.wrong and widget.said.startswith("30 x 40 uint8")
    assert ts.widget("reduction", numpy.arange(10, dtype=numpy.int32)).said.startswith("number")
