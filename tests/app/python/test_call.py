"""The functions that the package makes from the registry."""

import ctypes
import inspect
import mmap
import os
import subprocess
import sys
import threading

import numpy
import pytest

import threadscape as ts

PICTURE_FILTERS = [
    name for name, row in ts.algorithms.items() if row["input"] == row["output"] == "image" and name != "chain"
]


def picture(height, width, dtype=numpy.uint8, channels=1, seed=1):
    shape = (height, width) if channels == 1 else (height, width, channels)
    values = numpy.random.default_rng(seed).integers(0, 256, shape)
    return (values / 255).astype(dtype) if dtype == numpy.float32 else values.astype(dtype)


def test_every_algorithm_is_a_function_with_signature_and_text():
    for name, row in ts.algorithms.items():
        function = getattr(ts, name)
        parameters = list(inspect.signature(function).parameters)
        common = ["backend", "variant", "threads", "device", "devices", "stream", "seed", "out"]
        arrays = 0 if row["input"] == "none" else 1
        assert parameters[arrays:] == [p["name"] for p in row["parameters"]] + common, name
        assert row["source"] in function.__doc__ and row["summary"] in function.__doc__
        assert all(p["accepted"] in function.__doc__ for p in row["parameters"])
    assert inspect.signature(ts.median).parameters["size"].default == 3
    assert "3..75 step 2 pixels" in ts.median.__doc__


def test_the_stubs_name_every_algorithm():
    path = os.path.join(os.path.dirname(ts.__file__), "__init__.pyi")
    text = open(path, encoding="utf-8").read()
    compile(text, path, "exec")
    assert all(f"def {name}(" in text for name in ts.algorithms)


def test_a_median_is_the_middle_value():
    image = picture(20, 31)
    found = ts.median(image, size=5)
    padded = numpy.pad(image, 2, "reflect")
    windows = numpy.lib.stride_tricks.sliding_window_view(padded, (5, 5))
    assert numpy.array_equal(found, numpy.median(windows, axis=(2, 3)).astype(numpy.uint8))


@pytest.mark.parametrize("name", PICTURE_FILTERS)
@pytest.mark.parametrize("dtype, channels", [(numpy.uint8, 1), (numpy.uint8, 4), (numpy.float32, 1)])
def test_arrays_are_read_at_any_distance_of_rows_and_never_beyond_their_end(name, dtype, channels):
    function = getattr(ts, name)
    image = picture(23, 37, dtype, channels)
    if name == "morphology":
        image = numpy.where(image > image.mean(), image.max(), image.min())
    try:
        expected = function(image, backend="serial", seed=3)
    except ValueError:
        pytest.skip("takes no such pictures")
    wide = numpy.zeros((23, 64) + image.shape[2:], dtype)
    wide[:, 5:42] = image
    guarded = behind_a_guard(image)
    for backend in ("serial", "openmp"):
        for array in (image, wide[:, 5:42], numpy.asfortranarray(image), guarded):
            assert numpy.array_equal(function(array, backend=backend, seed=3), expected), backend
        out = behind_a_guard(numpy.zeros_like(expected))
        function(guarded, backend=backend, seed=3, out=out)
        assert numpy.array_equal(out, expected)
        gap = numpy.full((expected.shape[0], expected.shape[1] + 7) + expected.shape[2:], 77, expected.dtype)
        function(image, backend=backend, seed=3, out=gap[:, 2:-5])
        assert numpy.array_equal(gap[:, 2:-5], expected)
        assert (gap[:, :2] == 77).all() and (gap[:, -5:] == 77).all()


def behind_a_guard(array):
    """A copy of the array whose last byte is followed by memory that may be neither read nor written."""
    pages = -(-array.nbytes // mmap.PAGESIZE)
    memory = mmap.mmap(-1, (pages + 1) * mmap.PAGESIZE)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.mprotect(ctypes.c_void_p(start + pages * mmap.PAGESIZE), ctypes.c_size_t(mmap.PAGESIZE), 0) == 0
    copy = numpy.frombuffer(memory, array.dtype, array.size, pages * mmap.PAGESIZE - array.nbytes)
    copy = copy.reshape(array.shape)
    copy[...] = array
    return copy


def test_out_is_written_in_place_and_returned():
    image = picture(40, 50)
    out = numpy.empty_like(image)
    assert ts.median(image, out=out) is out
    assert numpy.array_equal(out, ts.median(image))
    expected = ts.median(image, size=7)
    assert numpy.array_equal(ts.median(image, size=7, out=image), expected)


@pytest.mark.parametrize(
    "make, sentence",
    [
        (lambda image: numpy.empty((3, 3), numpy.uint8), "not one of uint8 and shape \\(3, 3\\)"),
        (lambda image: numpy.empty(image.shape, numpy.float32), "an array of uint8 is needed"),
        (lambda image: numpy.empty(image.shape[::-1], numpy.uint8).T, "must lie side by side"),
        (lambda image: image.tobytes(), "a writable array"),
    ],
)
def test_an_out_that_does_not_fit_is_refused(make, sentence):
    image = picture(8, 9)
    with pytest.raises(ValueError, match=sentence):
        ts.median(image, out=make(image))


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda image: ts.median(image, size=4), "size"),
        (lambda image: ts.median(image, sise=5), "sise"),
        (lambda image: ts.median(image, backend="opencl"), "serial"),
        (lambda image: ts.median(image, variant="quick"), "quick"),
        (lambda image: ts.median(image, threads=-2), "accepted are 1"),
        (lambda image: ts.median(image, threads="all"), "threads: 'all' is no whole number"),
        (lambda image: ts.median(image, border="around"), "around"),
        (lambda image: ts.median(image.astype(float)), "astype\\(numpy.float32\\)"),
        (lambda image: ts.median(image.astype(complex)), "complex128"),
        (lambda image: ts.median(image[0]), "not one of shape \\(9,\\)"),
        (lambda image: ts.median(image, image), "takes one array, not 2"),
        (lambda image: ts.median(), "takes an array"),
        (lambda image: ts.median(image[:0]), "empty"),
        (lambda image: ts.phantom(image), "takes no array"),
    ],
)
def test_what_does_not_fit_is_a_value_error_that_says_so(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call(picture(8, 9))


def test_a_backend_without_a_device_is_a_runtime_error():
    if ts.devices():
        pytest.skip("there is a device")
    with pytest.raises(RuntimeError):
        ts.median(picture(8, 9), backend="cuda")


def test_what_needs_more_than_all_memory_is_a_memory_error():
    with pytest.raises(MemoryError, match="out of memory: 8192x8192x8192"):
        ts.phantom(voxels=8192)


def test_pixels_of_three_values_are_taken_and_returned():
    image = picture(12, 13, channels=3)
    found = ts.gaussian(image, sigma=1.5)
    opaque = numpy.dstack([image, numpy.full(image.shape[:2], 255, numpy.uint8)])
    assert found.shape == image.shape
    assert numpy.array_equal(found, ts.gaussian(opaque, sigma=1.5)[..., :3])


def test_grids_sequences_and_numbers_are_parameters():
    image = picture(9, 9, numpy.float32)
    mask = numpy.array([[0, 1, 0], [1, -4, 1], [0, 1, 0]])
    for given in (mask, mask.tolist(), mask.ravel(), "0,1,0,1,-4,1,0,1,0"):
        assert numpy.array_equal(ts.convolution(image, mask=given), ts.convolution(image, mask=mask))
    assert ts.reduction(numpy.arange(10, dtype=numpy.float32), type="float") == 45
    keys = numpy.array([3, 1, 2], numpy.uint32)
    assert ts.sorting(keys, type="uint32").tolist() == [1, 2, 3]


def test_other_arrays_are_taken_by_their_protocols():
    image = picture(9, 11)

    class Interface:
        __array_interface__ = image.__array_interface__

    class Dlpack:
        def __dlpack__(self, **options):
            return image.__dlpack__(**options)

        def __dlpack_device__(self):
            return image.__dlpack_device__()

    for array in (Interface(), Dlpack(), memoryview(image)):
        assert numpy.array_equal(ts.median(array), ts.median(image))


def test_other_threads_run_meanwhile():
    image = picture(600, 600)
    expected = ts.bilateral(image)
    found = [None] * 4

    def run(i):
        found[i] = ts.bilateral(image, threads=1)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(numpy.array_equal(result, expected) for result in found)


def test_a_large_array_is_not_copied():
    # The peak of the resident memory of a process of its own grows by the result alone, and not at all with `out`.
    program = """
import resource, numpy, threadscape as ts
image = numpy.ones((4096, 4096), numpy.uint8)
out = numpy.ones_like(image)
ts.noise(image[:64], backend="serial", out=out[:64])
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
before = peak()
ts.noise(image, backend="serial", out=out)
print(peak() - before)
"""
    grown = float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)
    assert grown < 8, "the input has 16 MiB"


def test_rows_for_tables():
    image = picture(30, 30)
    rows = ts.bench(ts.median, image, runs=3, size=5)
    assert [row["backend"] for row in rows] == ["serial", "openmp"]
    assert all(len(row["times_ms"]) == 3 and row["min_ms"] <= row["median_ms"] for row in rows)
    other = image.copy()
    other[3, 4] ^= 16
    assert ts.compare(image, other)["different"] == 1 and ts.compare(image, other)["largest"] == 16
    rows = ts.verify("noise", every=20)
    assert rows and all(row["failure"] == "" and row["compared"] > 0 for row in rows)
    assert [row["backend"] for row in ts.bench("median", image, runs=1, backends="serial")] == ["serial"]
    assert {row["backend"] for row in ts.verify("noise", "openmp", every=50)} == {"openmp"}
    with pytest.raises(ValueError, match="accepted are"):
        ts.bench("medium", image)


def test_rows_are_tables_of_pandas():
    pandas = pytest.importorskip("pandas")
    image = picture(30, 30)
    assert pandas.DataFrame(ts.bench("median", image, runs=2))["backend"].tolist() == ["serial", "openmp"]
    assert (pandas.DataFrame(ts.verify("noise", every=50))["failure"] == "").all()
    assert pandas.Series(ts.compare(image, image))["different"] == 0
    assert pandas.DataFrame([ts.compare(image, image), ts.compare(image, 255 - image)]).shape[0] == 2


def test_completion_lists_what_is_loaded_later():
    program = "import threadscape; print(*dir(threadscape))"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert {"median", "render", "show", "sketch", "widget", "picture", "dask", "ndimage"} <= set(said.split())
    assert all(hasattr(ts, name) for name in said.split() if name not in ("dask", "widget"))
