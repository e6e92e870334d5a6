"""The algorithms of Threadscape as functions of arrays: serial, with OpenMP and SIMD, or on an NVIDIA GPU, with results
that are equal to the bit.

`algorithms` describes all of them, and `help(threadscape.median)` one. `threadscape.ndimage` has the names and
arguments of scipy.ndimage. Errors are ValueError for arguments that do not fit, MemoryError, OSError for files, and
RuntimeError for devices.
"""

import importlib
import os

# GNU's OpenMP reads this variable when it is loaded. Without it, threads that wait for work spin up to 12 ms and take
# the cores from those that they wait for, as soon as other programs run.
_chosen = "OMP_WAIT_POLICY" in os.environ or "GOMP_SPINCOUNT" in os.environ
if not _chosen:
    os.environ["GOMP_SPINCOUNT"] = "1000"
from . import _core  # noqa: E402

if not _chosen:
    del os.environ["GOMP_SPINCOUNT"]

#: What the registry says of every algorithm, by name: summary, source, parameters with ranges and defaults, variants.
algorithms = {}
_rows = {}


def _declared(row):
    """A function without a body that has the signature of an algorithm. Only `inspect` could make that otherwise, whose
    import takes as long as all the rest."""
    arguments = []
    if row["input"] != "none":
        arguments += [_input_name(row) + ("=None" if row["makes_input"] else ""), "/"]
    arguments += ["*", *(f"{name}={value!r}" for name, value in _options(row).items())]
    made = {}
    exec(f"def {row['name']}({', '.join(arguments)}): ...", made)
    return made[row["name"]]


def _input_name(row):
    """The name of the array: its kind, unless a parameter has that name."""
    taken = any(parameter["name"] == row["input"] for parameter in row["parameters"])
    return "array" if taken else row["input"]


def _options(row):
    """The keyword arguments of an algorithm with their defaults."""
    own = {parameter["name"]: parameter["default"] for parameter in row["parameters"]}
    common = dict.fromkeys(("backend", "variant", "threads", "device", "devices", "stream", "seed", "out"))
    return {**own, **common, "backend": "openmp", "seed": 0}


def _docstring(row):
    """What an algorithm takes and returns, from its row of the registry."""
    lines = [f"{row['title']}. {row['summary']}.", ""]
    if row["input"] != "none":
        own = "; without one the algorithm makes it" if row["makes_input"] else ""
        lines.append(f"{_input_name(row)}: an array {row['input_dimensions']}{own}.")
    lines.append(f"Returns: {row['output']}, an array {row['output_dimensions']}.")
    exact = "equal to the bit" if row["exact"] else "equal within a tolerance"
    lines += [f"Results of all backends and variants are {exact}.", "", "Parameters:"]
    for parameter in row["parameters"]:
        default = parameter["default"] if parameter["type"] != "grid" else "a preset"
        lines.append(f"    {parameter['name']}: {parameter['accepted']}; {parameter['help']} (default {default})")
    lines.append("    backend: serial | openmp | cuda (default openmp)")
    for backend, variants in row["variants"].items():
        if len(variants) > 1:
            lines += [f"    variant on {backend}:"] + [f"        {name}: {text}" for name, text in variants.items()]
    lines += [
        "    threads: of the OpenMP backend; None is all (default None)",
        "    device: number of the GPU of the CUDA backend; None is that of the array, or the first (default None)",
        "    devices: numbers of several GPUs, among which the run is divided (default None)",
        "    stream: of CuPy or PyTorch, or a handle, for arrays on a GPU; None is that of their library (default None)",
        "    seed: of what is random (default 0)",
        "    out: an array that the result is written into, which is then returned",
        "",
        f"Source: {row['source']}.",
    ]
    return "\n".join(lines)


def _function(algorithm):
    def function(*arrays, **options):
        return algorithm(*arrays, **options)

    def of_volumes(*arrays, **options):
        if arrays and type(arrays[0]).__module__ != "numpy":  # It may state its spacing.
            return importlib.import_module(".spacing", __name__).call(algorithm, arrays, options)
        return algorithm(*arrays, **options)

    row = algorithm.describe()
    function = of_volumes if row["input"] == "volume" else function
    function.__name__ = function.__qualname__ = row["name"]
    function.__doc__ = _docstring(row)
    function.__wrapped__ = _declared(row)
    algorithms[row["name"]] = row
    _rows[row["name"]] = algorithm
    return function


def _row_of(algorithm):
    name = algorithm if isinstance(algorithm, str) else algorithm.__name__
    if name not in _rows:
        raise ValueError(f"algorithm '{name}': accepted are {', '.join(_rows)}")
    return _rows[name]


def devices():
    """The names of the GPUs of the CUDA backend."""
    return _core.devices()


def _names(backends):
    """The names of backends, of which a single one may stand alone."""
    return [backends] if isinstance(backends, str) else list(backends)


def verify(algorithm, backends=("serial", "openmp"), every=1):
    """Compares backends and variants of an algorithm (a function or its name) with its serial code, over sizes and
    parameters of all ranges. `every` thins the sweep out. Returns rows, as pandas.DataFrame takes them: `failure` is
    empty where all results agree."""
    return _row_of(algorithm).verify(_names(backends), every)


def compare(a, b):
    """How much two arrays of one shape differ: the number of different values, the largest difference, the root of the
    mean squared difference, PSNR in dB and SSIM (None where an axis is too short for its window). It is one row of a
    table, as pandas.Series takes it, and pandas.DataFrame a list of several."""
    return _core.compare(a, b)


def bench(algorithm, *arrays, runs=10, backends=("serial", "openmp"), **options):
    """Times an algorithm (a function or its name) on arrays, on each of the backends. Returns rows, as pandas.DataFrame
    takes them: the median and the minimum of `runs` runs after one to warm up, in milliseconds, and all of them. The
    command `threadscape bench` measures more, with conditions, limits and verdicts."""
    row = _row_of(algorithm)
    if row.describe()["input"] == "volume":
        arrays, options = importlib.import_module(".spacing", __name__).taken(row, arrays, options)
    rows = []
    for backend in _names(backends):
        times = row.measure(runs, arrays, {**options, "backend": backend})
        ordered = sorted(times)
        middle = (ordered[(runs - 1) // 2] + ordered[runs // 2]) / 2
        name = row.describe()["name"]
        figures = {"median_ms": middle, "min_ms": ordered[0], "times_ms": times}
        rows.append({"algorithm": name, "backend": backend, **figures})
    return rows


for _algorithm in _core.algorithms:
    _made = _function(_algorithm)
    globals()[_made.__name__] = _made
del _algorithm, _made

#: What other modules of the package have, by name. They are loaded by those who use them, and NumPy with them.
_elsewhere = dict.fromkeys(("grade", "microscope", "render", "show", "sketch"), "program")
_elsewhere |= {"picture": "pictures", "widget": "sliders"}

__all__ = [*algorithms, *_elsewhere, "algorithms", "bench", "compare", "dask", "devices", "ndimage", "verify"]


def load_ipython_extension(shell):
    """Adds the magic `%%sketch` to a notebook."""
    importlib.import_module(".program", __name__).sketch_magic(shell)


def __dir__():
    return sorted({*globals(), *_elsewhere, "dask", "ndimage"})


def __getattr__(name):
    if name in _elsewhere:
        return getattr(importlib.import_module("." + _elsewhere[name], __name__), name)
    if name in ("dask", "ndimage"):
        return importlib.import_module("." + name, __name__)
    raise AttributeError(f"module 'threadscape' has no attribute '{name}'")
