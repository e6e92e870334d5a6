"""Arrays in the memory of a device. The devices here are those that TS_HOST_DEVICES=2 puts in the place of GPUs, or the
emulated one with TS_DEVICE=emulated: their memory is host memory, so that NumPy holds the arrays of the libraries."""

import contextlib
import ctypes
import os
import sys
import threading
import types

import numpy
import pytest

import threadscape as ts

EMULATED = os.environ.get("TS_DEVICE") == "emulated"
if not EMULATED and "TS_HOST_DEVICES" not in os.environ:
    pytest.skip("needs TS_HOST_DEVICES=2 or TS_DEVICE=emulated", allow_module_level=True)
if EMULATED:
    try:
        ts.noise(numpy.zeros((4, 4), numpy.uint8), backend="cuda")
    except RuntimeError as error:
        pytest.skip(str(error), allow_module_level=True)

FILTERS = [name for name, row in ts.algorithms.items() if row["input"] == row["output"] == "image" and name != "chain"]
if EMULATED:
    FILTERS = ["median", "sobel", "morphology"]


class Array:
    """An array of a library that has nothing but the interface."""

    def __init__(self, values, **facts):
        self.values, self.facts = values, facts

    @property
    def __cuda_array_interface__(self):
        own = self.values.__array_interface__
        contiguous = self.values.flags.c_contiguous
        facts = {name: own[name] for name in ("shape", "typestr", "data")}
        return {**facts, "strides": None if contiguous else self.values.strides, "version": 3, **self.facts}


def values_of(array):
    """A copy of what lies in the memory of an array with the interface."""
    facts = array.__cuda_array_interface__
    assert facts["strides"] is None
    dtype = numpy.dtype(facts["typestr"])
    count = int(numpy.prod(facts["shape"], dtype=int))
    memory = (ctypes.c_byte * (count * dtype.itemsize)).from_address(facts["data"][0])
    return numpy.frombuffer(memory, dtype, count).reshape(facts["shape"]).copy()


def picture(height, width, dtype=numpy.uint8, channels=1, seed=1):
    shape = (height, width) if channels == 1 else (height, width, channels)
    values = numpy.random.default_rng(seed).integers(0, 256, shape)
    return (values / 255).astype(dtype) if dtype == numpy.float32 else values.astype(dtype)


def aligned(values):
    """A copy in memory that starts at a multiple of 256 bytes."""
    memory = numpy.empty(values.nbytes + 256, numpy.uint8)
    start = -memory.ctypes.data % 256
    copy = memory[start : start + values.nbytes].view(values.dtype).reshape(values.shape)
    copy[...] = values
    return copy


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("width", [37, 64])
@pytest.mark.parametrize("dtype, channels", [(numpy.uint8, 1), (numpy.uint8, 4), (numpy.float32, 1)])
def test_results_are_those_of_arrays_in_host_memory(name, width, dtype, channels):
    function = getattr(ts, name)
    image = picture(23, width, dtype, channels)
    try:
        expected = function(image, backend="serial", seed=3)
    except ValueError:
        pytest.skip("takes no such pictures")
    before = image.copy()
    wide = numpy.zeros((23, 96) + image.shape[2:], dtype)
    wide[:, 5 : 5 + width] = image
    for array in (image, aligned(image), wide[:, 5 : 5 + width]):
        found = function(Array(array), backend="cuda", seed=3)
        assert found.shape == expected.shape and numpy.array_equal(values_of(found), expected)
        gap = numpy.full((expected.shape[0], expected.shape[1] + 7) + expected.shape[2:], 77, expected.dtype)
        out = Array(gap[:, 2:-5])
        assert function(Array(array), backend="cuda", seed=3, out=out) is out
        assert numpy.array_equal(gap[:, 2:-5], expected)
        assert (gap[:, :2] == 77).all() and (gap[:, -5:] == 77).all()
    assert numpy.array_equal(image, before)


@pytest.mark.parametrize(
    "name, shape, dtype, options",
    [
        ("beer_lambert", (5, 6, 7), numpy.float32, {}),
        ("thermal_erosion", (20, 31), numpy.float32, {"iterations": 3}),
        ("reduction", (1000,), numpy.int32, {}),
        ("temporal_median", (5, 20, 31), numpy.uint8, {}),
    ],
)
def test_other_kinds_of_data(name, shape, dtype, options):
    array = numpy.random.default_rng(2).integers(0, 100, shape).astype(dtype)
    expected = getattr(ts, name)(array, backend="serial", **options)
    found = getattr(ts, name)(Array(array), backend="cuda", **options)
    assert found.shape == numpy.shape(expected) and numpy.array_equal(values_of(found), expected)


class BufferArray(Array, bytearray):
    """An array whose type is a buffer, too, as that of CuPy is, which the interface comes before."""


def test_arrays_on_a_device_may_be_buffers():
    image = picture(12, 17)
    found = ts.median(BufferArray(image), backend="cuda")
    assert numpy.array_equal(values_of(found), ts.median(image, backend="serial"))


def test_what_needs_a_preparation_on_the_host_gets_one():
    image = picture(12, 17)
    expected = ts.seam_carving(image, width=12, order="optimal", height=10, backend="serial")
    found = ts.seam_carving(Array(image), width=12, order="optimal", height=10, backend="cuda")
    assert numpy.array_equal(values_of(found), expected)


@pytest.mark.parametrize("name, options", [("diamond_square", {"n": 5}), ("sorting", {"count": 1000}), ("phantom", {"voxels": 9})])
def test_without_an_array_the_result_goes_to_out(name, options):
    expected = getattr(ts, name)(backend="serial", seed=4, **options)
    out = Array(numpy.zeros_like(expected))
    assert getattr(ts, name)(backend="cuda", seed=4, out=out, **options) is out
    assert numpy.array_equal(out.values, expected)


def test_out_may_be_the_input():
    image = aligned(picture(16, 256))
    expected = ts.median(image, size=5, backend="serial")
    array = Array(image)
    ts.median(array, size=5, backend="cuda", out=array)
    assert numpy.array_equal(image, expected)


def unaligned(dtype):
    memory = numpy.zeros(8 * 9 * numpy.dtype(dtype).itemsize + 1, numpy.uint8)
    return {"shape": (8, 9), "typestr": numpy.dtype(dtype).str, "data": (memory.ctypes.data | 1, False)}


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda array: ts.median(array), 'lies in the memory of a device, where backend="cuda" computes'),
        (lambda array: ts.median(array, backend="cuda", size=4), "size"),
        (lambda array: ts.median(array, backend="cuda", out=numpy.zeros((8, 9), numpy.uint8)), "memory of the device"),
        (lambda array: ts.median(array.values, backend="cuda", out=array), "in host memory is needed"),
        (lambda array: ts.median(array, backend="cuda", out=Array(numpy.zeros((3, 3), "u1"))), "shape \\(3, 3\\)"),
        (lambda array: ts.median(array, backend="cuda", out=Array(array.values, data=(1, True))), "read-only"),
        (lambda array: ts.median(Array(array.values, mask=array), backend="cuda"), "masked"),
        (lambda array: ts.median(Array(array.values, typestr=">u2"), backend="cuda"), "no arrays of type '>u2'"),
        (lambda array: ts.median(Array(array.values, typestr="<c8"), backend="cuda"), "no arrays of type '<c8'"),
        (lambda array: ts.median(Array(array.values, **unaligned("f4")), backend="cuda"), "must lie side by side"),
        (lambda array: ts.median(Array(array.values.T), backend="cuda"), "must lie side by side"),
        (lambda array: ts.median(Array(array.values[:, ::2]), backend="cuda"), "must lie side by side"),
        (lambda array: ts.median(Array(picture(8, 9, channels=3)), backend="cuda"), "three channels"),
        (lambda array: ts.median(Array(array.values[0]), backend="cuda"), "not one of shape \\(9,\\)"),
        (lambda array: ts.median(Array(array.values[:0]), backend="cuda"), "empty"),
        (lambda array: ts.median(array, backend="cuda", stream="first"), "stream: 'first' is none"),
        (lambda array: ts.median(array.values, backend="cuda", stream=2), "takes one for arrays in the memory"),
        (lambda array: ts.median(array, backend="cuda", device=17), "device 17"),
        (lambda array: ts.compare(array, array), "no array of numbers|memory of a device"),
        (lambda array: ts.rasterize(array, backend="cuda"), "meshes are checked on the host"),
    ],
)
def test_what_does_not_fit_is_a_value_error_that_says_so(call, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        call(Array(picture(8, 9)))


def test_a_result_of_ours_goes_by_dlpack_as_well():
    image = picture(9, 31)
    first = ts.median(Array(image), size=5, backend="cuda")

    class Capsules:
        def __init__(self):
            self.streams = []

        def __dlpack_device__(self):
            return first.__dlpack_device__()

        def __dlpack__(self, *, stream):
            self.streams.append(stream)
            return first.__dlpack__()

    array = Capsules()
    found = ts.sobel(array, backend="cuda", stream=7)
    expected = ts.sobel(ts.median(image, size=5, backend="serial"), backend="serial")
    assert array.streams == [7] and numpy.array_equal(values_of(found), expected)
    assert first.dtype == "uint8" and first.__dlpack_device__()[0] == 2


def test_threads_compute_side_by_side():
    images = [picture(40, 50, seed=seed) for seed in range(8)]
    expected = [ts.median(image, size=5, backend="serial") for image in images]
    found = [None] * len(images)

    def work(first):
        for _ in range(3):
            for i in range(first, len(images), 4):
                found[i] = values_of(ts.median(Array(images[i]), size=5, backend="cuda"))

    threads = [threading.Thread(target=work, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(numpy.array_equal(a, b) for a, b in zip(found, expected))


def test_times_are_measured():
    rows = ts.bench("median", Array(picture(20, 30)), size=5, runs=3, backends=("cuda",))
    assert len(rows[0]["times_ms"]) == 3 and rows[0]["median_ms"] > 0


# --- Libraries, whose modules are played here


class Library(Array):
    """An array of a library that makes arrays, too."""

    dtype = property(lambda self: self.values.dtype)
    shape = property(lambda self: self.values.shape)

    def __setitem__(self, place, values):
        self.values[place] = getattr(values, "values", values)

    def __getitem__(self, place):
        return type(self)(self.values[place])


class Cupy(Library):
    device = contextlib.nullcontext()


Cupy.__module__ = "cupy"


class Duck(Cupy, numpy.lib.mixins.NDArrayOperatorsMixin):
    """What Dask, NumPy and threadscape.ndimage ask of an array; other functions of NumPy work on the values."""

    ndim = property(lambda self: self.values.ndim)
    size = property(lambda self: self.values.size)
    nbytes = property(lambda self: self.values.nbytes)

    def astype(self, dtype, **options):
        return type(self)(self.values.astype(dtype, **options))

    def reshape(self, *shape):
        return type(self)(self.values.reshape(*shape))

    def copy(self):
        return type(self)(self.values.copy())

    def get(self):
        return self.values.copy()

    def __array_function__(self, function, types, arguments, options):
        def bare(value):
            if isinstance(value, (list, tuple)):
                return type(value)(bare(item) for item in value)
            return value.values if isinstance(value, Duck) else value

        made = function(*bare(arguments), **{name: bare(value) for name, value in options.items()})
        if isinstance(made, tuple):
            return tuple(Duck(value) for value in made)
        return Duck(made) if isinstance(made, numpy.ndarray) else made

    def __getitem__(self, place):
        return Duck(self.values[getattr(place, "values", place)])

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        return Duck(getattr(ufunc, method)(*(getattr(value, "values", value) for value in inputs), **options))


Duck.__module__ = "cupy"


class Torch(Library):
    device = "cuda:0"

    def contiguous(self):
        return type(self)(numpy.ascontiguousarray(self.values))


Torch.__module__ = "torch"


class Jax(Array):
    ready = 0

    def block_until_ready(self):
        self.ready += 1


Jax.__module__ = "jaxlib.xla"


@pytest.fixture
def libraries(monkeypatch):
    """CuPy, PyTorch and JAX as far as they are used. `streams` has the streams that they work on."""
    streams = {"cupy": [5], "torch": [6]}

    def working_on(library):
        @contextlib.contextmanager
        def work(stream, device=None):
            if stream is not None:
                streams[library].append(stream)
                used.append((library, stream))
            yield
            if stream is not None:
                streams[library].pop()

        return work

    used = []
    cupy_cuda = types.SimpleNamespace(
        get_current_stream=lambda: types.SimpleNamespace(ptr=streams["cupy"][-1]), ExternalStream=working_on("cupy")
    )
    torch_cuda = types.SimpleNamespace(
        current_stream=lambda device: types.SimpleNamespace(cuda_stream=streams["torch"][-1]),
        ExternalStream=lambda stream, device: stream,
        stream=working_on("torch"),
    )
    cupy = types.SimpleNamespace(
        cuda=cupy_cuda,
        empty=lambda shape, dtype: Cupy(numpy.empty(shape, dtype)),
        ascontiguousarray=lambda array: Cupy(numpy.ascontiguousarray(array.values)),
    )
    torch = types.SimpleNamespace(
        cuda=torch_cuda, uint8="uint8", empty=lambda shape, dtype, device: Torch(numpy.empty(shape, dtype))
    )
    jax = types.SimpleNamespace(dlpack=types.SimpleNamespace(from_dlpack=lambda made: ("jax", made)))
    for name, module in (("cupy", cupy), ("torch", torch), ("jax", jax)):
        monkeypatch.setitem(sys.modules, name, module)
    return used


@pytest.mark.parametrize("library", [Cupy, Torch])
@pytest.mark.parametrize("stream", [None, 9])
def test_results_belong_to_the_library_of_the_input(libraries, library, stream):
    image, name = picture(20, 31, channels=3), library.__module__
    expected = ts.median(image, size=5, backend="serial")
    found = ts.median(library(image), size=5, backend="cuda", stream=stream)
    assert type(found) is library and numpy.array_equal(found.values, expected)
    assert set(libraries) == (set() if stream is None else {(name, stream)})
    grey = library(picture(31, 20).T)
    found = ts.median(grey, size=5, backend="cuda", stream=stream)
    assert type(found) is library
    assert numpy.array_equal(found.values, ts.median(grey.values, size=5, backend="serial"))


def test_streams_have_handles():
    from threadscape.gpu_arrays import handle_of, stream_of

    assert handle_of(types.SimpleNamespace(ptr=64)) == handle_of(types.SimpleNamespace(cuda_stream=64)) == 64
    assert handle_of(types.SimpleNamespace(__cuda_stream__=lambda: (0, 32))) == 32
    assert handle_of(1) == handle_of(0) == 0 and handle_of(2) == 2
    assert stream_of(Array(picture(2, 2))) == 0 and stream_of(Array(picture(2, 2), stream=8)) == 8


def test_jax_takes_the_result_by_dlpack(libraries):
    image = picture(20, 31)
    array = Jax(image)
    name, made = ts.median(array, size=5, backend="cuda")
    assert name == "jax" and array.ready == 1
    assert numpy.array_equal(values_of(made), ts.median(image, size=5, backend="serial"))


@pytest.mark.skipif(EMULATED, reason="one device")
def test_the_device_may_be_named():
    assert ts.devices() == ["host memory 0", "host memory 1"]
    image = picture(20, 31)
    expected = ts.median(image, backend="serial")
    for device in (None, 0, 1):
        found = ts.median(Array(image), backend="cuda", device=device)
        assert numpy.array_equal(values_of(found), expected)
        assert found.__dlpack_device__() == (2, device or 0)
        assert numpy.array_equal(ts.median(image, backend="cuda", device=device), expected)


@pytest.mark.skipif(EMULATED, reason="one device")
def test_a_run_is_divided_among_devices():
    image = picture(60, 70)
    expected = ts.median(image, size=9, backend="serial")
    assert numpy.array_equal(ts.median(image, size=9, backend="cuda", devices=(0, 1)), expected)
    assert numpy.array_equal(ts.median(image, size=9, backend="cuda", devices=[1]), expected)
    for options, sentence in [
        ({"devices": (0, 0)}, "named twice"),
        ({"devices": (0, 2)}, "device 2 does not exist"),
        ({"devices": "both"}, "'both' is no whole number|'b' is no whole number"),
        ({"devices": 3}, "3 is no list of numbers"),
        ({"devices": (0, 1), "device": 0}, "one of `devices` already"),
        ({"devices": (0, 1), "backend": "openmp"}, "openmp runs on the CPU"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            ts.median(image, **{"backend": "cuda", **options})
    with pytest.raises(ValueError, match="this one is on a device"):
        ts.median(Array(image), backend="cuda", devices=(0, 1))
    with pytest.raises(ValueError, match="needs all of its input"):
        ts.noise(image, backend="cuda", devices=(0, 1))


@pytest.mark.parametrize(
    "name, arguments",
    [
        ("median_filter", {"size": 5}),
        ("uniform_filter", {"size": 3, "mode": "nearest"}),
        ("gaussian_filter", {"sigma": 1.5, "mode": "constant", "cval": 3.0}),
        ("grey_opening", {"size": (3, 5)}),
        ("white_tophat", {"footprint": numpy.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]])}),
        ("sobel", {"axis": 0}),
        ("laplace", {}),
        ("gaussian_gradient_magnitude", {"sigma": 1.2}),
        ("convolve", {"weights": numpy.arange(9.0).reshape(3, 3), "mode": ["wrap", "mirror"]}),
    ],
)
@pytest.mark.parametrize("dtype", [numpy.uint8, numpy.int16, numpy.float32])
def test_arrays_that_numpy_leaves_on_their_gpu_stay_there(monkeypatch, name, arguments, dtype):
    cupy = types.SimpleNamespace(
        cuda=types.SimpleNamespace(get_current_stream=lambda: types.SimpleNamespace(ptr=0)),
        empty=lambda shape, dtype: Duck(numpy.empty(shape, dtype)),
        ascontiguousarray=lambda array: Duck(numpy.ascontiguousarray(array.values)),
    )
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    image = picture(33, 40, dtype)
    function = getattr(ts.ndimage, name)
    expected = function(image, **arguments)
    on_gpu = {key: Duck(value) if isinstance(value, numpy.ndarray) else value for key, value in arguments.items()}
    found = function(Duck(image), **on_gpu)
    assert type(found) is Duck and found.dtype == expected.dtype and numpy.array_equal(found.values, expected)
    output = Duck(numpy.zeros_like(expected))
    assert function(Duck(image), **on_gpu, output=output) is output and numpy.array_equal(output.values, expected)


def test_blocks_of_dask_stay_arrays_of_their_library(monkeypatch):
    dask_array = pytest.importorskip("dask.array")

    seen = []
    cupy = types.SimpleNamespace(
        cuda=types.SimpleNamespace(get_current_stream=lambda: types.SimpleNamespace(ptr=0)),
        empty=lambda shape, dtype: seen.append(shape) or Duck(numpy.empty(shape, dtype)),
        ascontiguousarray=lambda array: Duck(numpy.ascontiguousarray(array.values)),
        ndarray=Duck,
        concatenate=lambda arrays, axis: Duck(numpy.concatenate([array.values for array in arrays], axis)),
        **dict.fromkeys(("asarray", "asnumpy", "einsum", "take", "tensordot")),
    )
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    dask_array.register_chunk_type(Duck)
    image = picture(60, 70)
    array = dask_array.from_array(Duck(image), chunks=(32, 40), asarray=False)
    found = ts.dask.median(array, size=5, backend="cuda").compute(scheduler="synchronous")
    assert type(found) is Duck and len(seen) == 4
    assert numpy.array_equal(found.values, ts.median(image, size=5, backend="serial"))


def test_layers_of_a_volume_are_made_alone():
    views = picture(21 * 5, 21, numpy.float32).reshape(5, 21, 21)
    options = {"voxels": 7, "detector_pixels": 21, "arc": 360, "backend": "cuda"}
    whole = ts.reconstruction(views, **options)
    parts = [ts._row_of("reconstruction").make_layers(views, first, count, options) for first, count in ((0, 3), (3, 4))]
    assert numpy.array_equal(numpy.concatenate(parts), whole)
    with pytest.raises(ValueError, match="no array of numbers"):
        ts._row_of("reconstruction").make_layers(Array(views), 0, 1, options)


def test_graphs_of_scans_on_a_device_have_the_bits_of_the_whole():
    dask_array = pytest.importorskip("dask.array")
    volume = picture(9 * 9, 9, numpy.float32).reshape(9, 9, 9)
    scan = {"geometry": "cone", "detector_pixels": 9, "arc": 360, "step": 40, "backend": "cuda"}
    back = {"voxels": 9, "detector_pixels": 9, "arc": 360, "backend": "cuda"}
    views = ts.projection(volume, **scan)
    for function, whole, options in (("projection", volume, scan), ("reconstruction", views, back)):
        lazy = getattr(ts.dask, function)(dask_array.from_array(whole, chunks=(3, 9, 9)), **options)
        assert lazy.numblocks == (3, 1, 1)
        found = lazy.compute(scheduler="threads", num_workers=2)
        assert numpy.array_equal(found, getattr(ts, function)(whole, **options)), function
