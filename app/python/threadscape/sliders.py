"""A widget for notebooks with sliders made of the parameters of an algorithm. It needs the package anywidget."""

import pathlib
import time

import anywidget
import traitlets

import threadscape
from threadscape.pictures import png, visible


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
