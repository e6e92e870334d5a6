"""threadscape.ndimage beside SciPy: equal bits where only values are compared, and bounds where they are added."""

import itertools

import numpy
import pytest
from scipy import ndimage as scipy_ndimage

import threadscape
from threadscape import ndimage

MODES = ["reflect", "constant", "nearest", "mirror", "wrap"]
DTYPES = [numpy.uint8, numpy.int16, numpy.int64, numpy.float32, numpy.float64, bool]


def values(shape, dtype, seed=0):
    random = numpy.random.default_rng(seed)
    if numpy.dtype(dtype).kind == "f":
        return random.normal(size=shape).astype(dtype)
    return random.integers(0, 2 if dtype == bool else 100, shape).astype(dtype)


@pytest.mark.parametrize("mode, dtype", list(itertools.product(MODES, DTYPES)))
@pytest.mark.parametrize(
    "name, options",
    [
        ("median_filter", {"size": 5}),
        ("percentile_filter", {"percentile": 20, "size": 3}),
        ("rank_filter", {"rank": -3, "size": 3}),
        ("minimum_filter", {"size": (4, 3), "origin": (1, -1)}),
        ("maximum_filter", {"size": (3, 4), "origin": (1, -2)}),
        ("maximum_filter", {"footprint": [[0, 1, 1], [1, 1, 0]], "origin": (0, 1)}),
        ("grey_erosion", {"footprint": [[0, 1, 0], [1, 1, 1]], "origin": (-1, 0)}),
        ("grey_dilation", {"size": (2, 5), "origin": (0, 1)}),
        ("grey_opening", {"size": (4, 3)}),
        ("grey_closing", {"footprint": [[1, 1, 0], [0, 1, 1]]}),
        ("morphological_gradient", {"size": 3}),
        ("white_tophat", {"size": (3, 5)}),
        ("black_tophat", {"structure": numpy.zeros((3, 3))}),
    ],
)
def test_filters_that_compare_values_have_the_bits_of_scipy(name, options, mode, dtype):
    if dtype == bool and name == "morphological_gradient":
        pytest.skip("SciPy subtracts no booleans")
    for shape in ((17, 23), (1, 9), (5, 4)):
        array = values(shape, dtype)
        arguments = {**options, "mode": mode, "cval": 1}
        expected = getattr(scipy_ndimage, name)(array, **arguments)
        found = getattr(ndimage, name)(array, **arguments)
        assert found.dtype == expected.dtype and numpy.array_equal(found, expected), shape


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "name, options",
    [
        ("uniform_filter", {"size": 5}),
        ("uniform_filter", {"size": (4, 3), "origin": (1, -1)}),
        ("gaussian_filter", {"sigma": 1.3}),
        ("gaussian_filter", {"sigma": (1.0, 2.0), "order": (1, 0), "radius": 5}),
        ("correlate", {"weights": numpy.arange(12).reshape(3, 4) / 8 - 0.5, "origin": (1, -1)}),
        ("convolve", {"weights": numpy.arange(12).reshape(4, 3) / 8 - 0.5, "origin": (1, 1)}),
        ("correlate1d", {"weights": [1, 2, -4, 0.5], "axis": 0, "origin": -1}),
        ("convolve1d", {"weights": [1, 2, -4, 0.5], "axis": 1}),
        ("sobel", {"axis": 0}),
        ("prewitt", {}),
        ("laplace", {}),
        ("gaussian_laplace", {"sigma": 1.5}),
        ("gaussian_gradient_magnitude", {"sigma": 1.5}),
        ("gaussian_filter1d", {"sigma": 2.0, "order": 2}),
        ("uniform_filter1d", {"size": 6, "axis": 0}),
    ],
)
def test_linear_filters_are_as_near_as_float32(name, options, mode):
    for shape, dtype in itertools.product(((17, 23), (3, 2)), (numpy.float32, numpy.float64)):
        array = values(shape, dtype)
        arguments = {**options, "mode": mode, "cval": 0.5}
        expected = getattr(scipy_ndimage, name)(array, **arguments)
        found = getattr(ndimage, name)(array, **arguments)
        assert found.dtype == expected.dtype
        assert numpy.abs(found - expected).max() < 2e-5, shape


@pytest.mark.parametrize("mode", MODES)
def test_masks_of_small_whole_numbers_have_the_bits_of_scipy(mode):
    for dtype in (numpy.uint8, numpy.int32, numpy.float32):
        array = values((17, 23), dtype)
        array = numpy.round(array * 8) if dtype == numpy.float32 else array
        for name in ("sobel", "prewitt", "laplace"):
            found = getattr(ndimage, name)(array, mode=mode)
            assert numpy.array_equal(found, getattr(scipy_ndimage, name)(array, mode=mode)), (name, dtype)


def test_bytes_are_rounded_once():
    array = values((40, 50), numpy.uint8)
    exact = scipy_ndimage.uniform_filter(array.astype(float), 7)
    assert numpy.array_equal(ndimage.uniform_filter(array, 7), numpy.floor(exact + 0.5))
    exact = scipy_ndimage.gaussian_filter(array.astype(float), 2)
    assert numpy.abs(ndimage.gaussian_filter(array, 2) - exact).max() <= 1


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "name, options, runs",
    [
        ("correlate1d", {"weights": [1, 2, -4, 0.5]}, 1),
        ("convolve1d", {"weights": [1, 2, -4]}, 1),
        ("gaussian_filter1d", {"sigma": 2.0}, 1),
        ("uniform_filter1d", {"size": 4}, 1),
        ("minimum_filter1d", {"size": 4}, 1),
        ("maximum_filter1d", {"size": 3}, 1),
        ("median_filter", {"size": 5, "axes": (1,)}, 1),
        ("sobel", {}, None),
        ("prewitt", {"axis": 0}, None),
        ("laplace", {}, None),
        ("minimum_filter", {"size": 3}, None),
        ("grey_dilation", {"size": (3, 4), "axes": (0, -1)}, 2),
        ("gaussian_laplace", {"sigma": 1.5}, "squared"),
        ("gaussian_gradient_magnitude", {"sigma": 1.5}, "squared"),
    ],
)
def test_an_axis_is_filtered_in_one_run(name, options, runs, mode, monkeypatch):
    """Counts runs of the library: None allows one for each axis, and "squared" one for each axis of each part."""
    made = []
    for algorithm in ("convolution", "morphology", "median", "mean", "gaussian"):
        function = getattr(threadscape, algorithm)
        monkeypatch.setattr(threadscape, algorithm, lambda *a, of=function, **b: made.append(of) or of(*a, **b))
    for shape, dtype in itertools.product(((17, 23), (6, 12, 13), (3, 4, 5, 6)), (numpy.uint8, numpy.float32)):
        array = values(shape, dtype)
        for axis in range(len(shape)) if name.endswith("1d") else [None]:
            chosen = {**options, "mode": mode} | ({} if axis is None else {"axis": axis})
            made.clear()
            found = getattr(ndimage, name)(array, **chosen)
            allowed = {None: array.ndim, "squared": array.ndim**2}.get(runs, runs)
            assert 1 <= len(made) <= allowed, (shape, dtype, axis)
            if dtype == numpy.float32:
                assert numpy.allclose(found, getattr(scipy_ndimage, name)(array, **chosen), atol=2e-5), (shape, axis)


@pytest.mark.parametrize("value", [numpy.nan, numpy.inf])
def test_lines_know_nothing_of_what_is_not_finite_in_others(value):
    for shape, axis in itertools.product(((17, 23), (6, 12, 13)), (0, -1)):
        array = values(shape, numpy.float32)
        array[(3,) * len(shape)] = value
        for name, options in (("correlate1d", {"weights": [1, 2, 3]}), ("gaussian_filter1d", {"sigma": 2.0})):
            found = getattr(ndimage, name)(array, axis=axis, **options)
            expected = getattr(scipy_ndimage, name)(array, axis=axis, **options)
            assert numpy.array_equal(numpy.isfinite(found), numpy.isfinite(expected)), (name, shape, axis)
            kept = numpy.isfinite(expected)
            assert numpy.allclose(found[kept], expected[kept], atol=2e-5), (name, shape, axis)
        with numpy.errstate(invalid="ignore"):
            found, expected = ndimage.laplace(array), scipy_ndimage.laplace(array)
        assert numpy.array_equal(numpy.isfinite(found), numpy.isfinite(expected)), shape


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "name, options",
    [
        ("median_filter", {"size": 5}),
        ("percentile_filter", {"size": 3, "percentile": 20}),
        ("uniform_filter", {"size": 5}),
        ("gaussian_filter", {"sigma": 1.5}),
        ("gaussian_filter", {"sigma": (1.0, 2.0), "order": (1, 0)}),
        ("correlate", {"weights": numpy.arange(15.0).reshape(3, 5) - 7}),
        ("convolve", {"weights": numpy.arange(15.0).reshape(5, 3) - 7, "origin": (1, -1)}),
        ("minimum_filter", {"footprint": [[0, 1, 0], [1, 1, 1], [0, 1, 0]]}),
    ],
)
def test_two_axes_of_a_stack_are_filtered_in_one_run_with_the_bits_of_single_planes(name, options, mode, monkeypatch):
    made = []
    for algorithm in ("convolution", "morphology", "median", "mean", "gaussian"):
        function = getattr(threadscape, algorithm)
        monkeypatch.setattr(threadscape, algorithm, lambda *a, of=function, **b: made.append(of) or of(*a, **b))
    for shape, dtype in itertools.product(((7, 17, 23), (2, 3, 9, 5)), (numpy.uint8, numpy.int32, numpy.float32)):
        array = values(shape, dtype)
        if dtype == numpy.float32:  # Planes know nothing of what is not finite in others.
            array[(0,) * (len(shape) - 2) + (2, 4)] = numpy.nan
            array[(1,) * (len(shape) - 2) + (0, 4)] = numpy.inf
        for axes in ((-2, -1), (0, -1)):
            found = {}
            for most in (1, 600, 1 << 20):
                made.clear()
                monkeypatch.setattr(ndimage._planes, "_MAX_STACKED", most)
                found[most] = getattr(ndimage, name)(array, axes=axes, mode=mode, **options)
                planes = array.size // (array.shape[axes[0]] * array.shape[axes[1]])
                assert len(made) == {1: planes, 1 << 20: 1}.get(most, len(made)), (shape, axes, most)
            for other in (found[600], found[1]):
                assert numpy.array_equal(found[1 << 20], other, equal_nan=dtype == numpy.float32), (shape, dtype, axes)


def test_copies_of_lines_are_cut_where_they_are_large(monkeypatch):
    array = values((17, 23), numpy.float32)
    for axis in (0, 1):
        whole = ndimage.median_filter(array, size=5, axes=(axis,))
        with monkeypatch.context() as patch:
            patch.setattr(ndimage._planes, "_MAX_COPIED", 5 * 23 * 2)
            assert numpy.array_equal(ndimage.median_filter(array, size=5, axes=(axis,)), whole)


def test_axes_output_and_stacks():
    stack = values((4, 12, 13), numpy.float32)
    for name, options in (("median_filter", {"size": 3}), ("minimum_filter", {"size": 3}), ("uniform_filter", {})):
        for axes in ((1, 2), (-1, 0), (1,)):
            found = getattr(ndimage, name)(stack, axes=axes, **options)
            expected = getattr(scipy_ndimage, name)(stack, axes=axes, **options)
            assert numpy.allclose(found, expected, atol=1e-6), (name, axes)
    assert numpy.array_equal(ndimage.minimum_filter(stack, 3), scipy_ndimage.minimum_filter(stack, 3))
    assert numpy.allclose(ndimage.gaussian_filter(stack, 1), scipy_ndimage.gaussian_filter(stack, 1), atol=1e-5)
    out = numpy.zeros(stack.shape, numpy.float64)
    assert ndimage.sobel(stack, output=out) is out
    assert numpy.allclose(out, scipy_ndimage.sobel(stack, output=numpy.float64), atol=1e-5)


@pytest.mark.parametrize(
    "call",
    [
        lambda a: ndimage.median_filter(a, size=(3, 5)),
        lambda a: ndimage.median_filter(a, size=3, origin=1),
        lambda a: ndimage.grey_erosion(a, structure=numpy.ones((3, 3))),
        lambda a: ndimage.correlate(a, numpy.ones((65, 65))),
        lambda a: ndimage.gaussian_filter(a, 1, mode="circle"),
        lambda a: ndimage.sobel(a + 1j),
    ],
)
def test_what_is_not_covered_says_so(call):
    with pytest.raises(ValueError, match="accepted"):
        call(values((9, 9), numpy.float32))


@pytest.mark.parametrize("mode", MODES)
def test_what_erosions_and_dilations_make_takes_one_run_of_the_library(mode, monkeypatch):
    runs = []
    morphology = threadscape.morphology
    monkeypatch.setattr(threadscape, "morphology", lambda *a, **b: runs.append(b["operation"]) or morphology(*a, **b))
    cross, corner = [[0, 1, 0], [1, 1, 1], [0, 1, 0]], [[1, 1, 0], [0, 1, 0]]
    for name in ("grey_opening", "grey_closing", "morphological_gradient", "white_tophat", "black_tophat"):
        for options in ({"size": 3}, {"size": (4, 3)}, {"footprint": cross}, {"footprint": corner}, {"size": (3, 30)}):
            for dtype in (numpy.uint8, numpy.uint16, numpy.float32):
                array = values((17, 23), dtype)
                runs.clear()
                found = getattr(ndimage, name)(array, mode=mode, **options)
                expected = getattr(scipy_ndimage, name)(array, mode=mode, **options)
                assert found.dtype == expected.dtype and numpy.array_equal(found, expected), (name, options, dtype)
                plain = mode != "constant" and options.get("size") != (3, 30)
                assert (len(runs) == 1) == plain, (name, options, runs)
