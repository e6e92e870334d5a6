"""A widget for notebooks with sliders made of the parameters of an algorithm. It needs the package anywidget."""

import pathlib
import struct
import time
import zlib

import anywidget
import numpy
import traitlets

import threadscape


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


class Sliders(anywidget.AnyWidget):
    """The result of an algorithm on an array, its time, and a slider, a switch or a list for each parameter. `values` has
    what is chosen, `result` the array, and `milliseconds` the time of the last run."""

    _esm = pathlib.Path(__file__).with_name("sliders.js")
    fields = traitlets.List().tag(sync=True)
    values = traitlets.Dict().tag(sync=True)
    picture = traitlets.Bytes().tag(sync=True)
    said = traitlets.Unicode().tag(sync=True)
    wrong = traitlets.Bool(False).tag(sync=True)

    def __init__(self, algorithm, array=None, **options):
        row = threadscape.algorithms[threadscape._row_of(algorithm).describe()["name"]]
        self.algorithm, self._array, self.result, self.milliseconds = row["name"], array, None, None
        shown = [p for p in row["parameters"] if p["type"] in ("int", "float", "bool", "choice")]
        chosen = {p["name"]: options.pop(p["name"], p["default"]) for p in shown}
        backends = ["serial", "openmp"] + ["cuda"] * bool(threadscape.devices())
        backend = {"name": "backend", "type": "choice", "choices": backends, "help": "what computes it", "unit": ""}
        chosen["backend"] = options.pop("backend", "openmp")
        self._options = options
        super().__init__(fields=[*shown, backend], values=chosen)
        self._run()

    @traitlets.observe("values")
    def _changed(self, change):
        if self.fields and change["old"]:
            self._run()

    def _run(self):
        arrays = () if self._array is None else (self._array,)
        start = time.perf_counter()
        try:
            result = getattr(threadscape, self.algorithm)(*arrays, **self._options, **self.values)
            self.milliseconds = (time.perf_counter() - start) * 1e3
            self.result = result
            shape = " x ".join(map(str, result.shape)) or "number"
            with self.hold_sync():
                self.picture = png(visible(result)) if result.ndim > 1 else b""
                number = "" if result.ndim else f": {result}"
                self.said, self.wrong = f"{shape} {result.dtype}{number}, {self.milliseconds:.2f} ms", False
        except (ValueError, RuntimeError, MemoryError) as error:
            self.said, self.wrong = str(error), True


def widget(algorithm, array=None, **options):
    """Shows the result of an algorithm (a function or its name) on an array in a notebook, with a slider for each of its
    parameters and the time of each run. It needs the package anywidget. Options are first values of parameters, and
    arguments of each run, as threads and seed."""
    return Sliders(algorithm, array, **options)
