"""Blocks of Dask arrays: results have the bits of a run on the whole array."""

import numpy
import pytest
import threadscape as ts

dask_array = pytest.importorskip("dask.array")
import threadscape.dask  # noqa: E402


def values(shape, dtype):
    return numpy.random.default_rng(5).integers(0, 255, shape).astype(dtype)


@pytest.mark.parametrize(
    "name, shape, dtype, chunks, options",
    [
        ("median", (150, 217), "uint8", (64, 100), {"size": 9}),
        ("median", (150, 217), "uint8", (64, 100), {"size": 9, "border": "wrap"}),
        ("median", (50, 47), "uint8", (7, 15), {"size": 25}),
        ("morphology", (150, 217), "uint8", (37, 64), {"operation": "open", "size": 9}),
        ("gaussian", (120, 117, 3), "uint8", (50, 50, 3), {"sigma": 2}),
        ("sobel", (120, 117, 4), "uint8", (50, 60, 2), {}),
        ("convolution", (90, 100), "float32", (40, 40), {"border": "valid"}),
        ("convolution", (90, 100), "uint16", (40, 40), {"border": "crop"}),
        ("chain", (90, 100), "uint8", (40, 40), {}),
        ("thermal_erosion", (90, 100), "float32", (30, 30), {"iterations": 7}),
        ("slope", (90, 100), "float32", (30, 100), {}),
        ("beer_lambert", (9, 30, 40), "float32", (4, 10, 40), {}),
    ],
)
def test_results_are_equal_to_the_bit_however_the_array_is_cut(name, shape, dtype, chunks, options):
    array = values(shape, dtype)
    expected = getattr(ts, name)(array, **options)
    lazy = getattr(ts.dask, name)(dask_array.from_array(array, chunks=chunks), **options)
    assert lazy.npartitions > 1 and lazy.shape == expected.shape and lazy.dtype == expected.dtype
    assert all(str(key[0]).startswith((name, "concatenate")) for key in lazy.__dask_keys__() if isinstance(key, tuple))
    found = lazy.compute(scheduler="threads", num_workers=2)
    assert found.dtype == expected.dtype and numpy.array_equal(found, expected)


@pytest.mark.parametrize(
    "name, shape, options, sentence",
    [
        ("noise", (40, 50), {}, "all of its input"),
        ("seam_carving", (40, 50), {}, "all of its input"),
        ("reconstruction", (9, 30, 40), {"method": "sirt", "detector_pixels": 40}, "needs the whole result"),
        ("projection", (9, 30, 40), {"geometry": "cone", "arc": 360, "feed": 9}, "where `angles` lists them"),
        ("projection", (9, 30, 40), {"geometry": "cone", "step": 0}, "step"),
        ("temporal_median", (9, 30, 40), {}, "makes a image of a clip"),
        ("median", (40, 50), {"size": 4}, "size"),
        ("median", (40, 50), {"out": 1}, "block by block"),
    ],
)
def test_what_cannot_be_cut_says_so(name, shape, options, sentence):
    array = dask_array.from_array(values(shape, "float32"))
    with pytest.raises(ValueError, match=sentence):
        getattr(ts.dask, name)(array, **options)


def test_block_sizes_follow_from_memory():
    array = dask_array.zeros((8192, 8192), dtype=numpy.uint8)
    small, large = (ts.dask.blocks("median", array, memory, size=5) for memory in (4 << 20, 64 << 20))
    assert small[0] < large[0] <= 8192 and small[0] == small[1]
    halo = small[0] + 4
    assert halo * halo + small[0] * small[0] <= 4 << 20
    with pytest.raises(ValueError, match="more than 100 bytes"):
        ts.dask.blocks("median", array, 100)


def test_names_are_those_of_the_algorithms():
    assert "median" in dir(ts.dask) and "phantom" not in dir(ts.dask)
    with pytest.raises(AttributeError, match="takes no array"):
        ts.dask.phantom
    with pytest.raises(AttributeError, match="no attribute"):
        ts.dask.medium


SCAN = {"geometry": "cone", "detector_pixels": 21, "detector_rows": 18, "pixel_size": 3, "arc": 360, "step": 16}


@pytest.mark.parametrize(
    "options",
    [
        {},
        SCAN,
        {**SCAN, "geometry": "parallel", "arc": 100, "turn": 7.3, "reverse": True, "backend": "serial"},
        {**SCAN, "angles": "3; 0.1,50 77", "turn": 11, "reverse": True, "method": "siddon"},
        {**SCAN, "angles": numpy.array([0.0, 45, 271, 359]), "feed": 12, "turn": 5, "method": "joseph"},
        {**SCAN, "output": "voxels", "slab": 5, "row": 3, "variant": "loops"},
    ],
)
def test_views_of_a_scan_are_cut_by_their_angles(options):
    volume = values((14, 12, 16), "float32")
    expected = ts.projection(volume, **options)
    lazy = ts.dask.projection(dask_array.from_array(volume, chunks=(5, 12, 10)), **options)
    assert len(lazy.chunks[0]) == min(6, len(expected)) and lazy.shape == expected.shape
    assert numpy.array_equal(lazy.compute(scheduler="threads", num_workers=2), expected)


@pytest.mark.parametrize(
    "options",
    [{}, {"variant": "loops"}, {"backend": "serial"}, {"filter": "hann", "voxels_y": 11, "voxel_size_y": 2.5}],
)
def test_slabs_of_a_reconstruction_are_those_of_the_whole(options):
    scan = {"geometry": "cone", "detector_pixels": 21, "pixel_size": 3, "arc": 360, "voxels": 17, **options}
    views = values((23, 21, 21), "float32")
    expected = ts.reconstruction(views, **scan)
    lazy = ts.dask.reconstruction(dask_array.from_array(views, chunks=(6, 21, 21)), **scan)
    assert lazy.numblocks == (4, 1, 1) and lazy.shape == expected.shape
    assert all(str(key[0]).startswith(("reconstruction", "concatenate")) for key in lazy.__dask_keys__()[0][0])
    assert numpy.array_equal(lazy.compute(scheduler="threads", num_workers=2), expected)


def test_a_graph_goes_from_a_volume_to_views_and_back():
    volume = values((14, 12, 16), "float32")
    back = {"voxels": 13, "arc": 360, "step": 16, "geometry": "cone", "pixel_size": 3, "detector_pixels": 21}
    lazy = ts.dask.projection(dask_array.from_array(volume, chunks=(5, 12, 16)), **SCAN)
    lazy = ts.dask.reconstruction(ts.dask.beer_lambert(lazy), **back, detector_rows=18)
    whole = ts.reconstruction(ts.beer_lambert(ts.projection(volume, **SCAN)), **back, detector_rows=18)
    assert numpy.array_equal(lazy.compute(scheduler="synchronous"), whole)


def test_layers_beside_the_result_are_refused():
    views, options = values((23, 21, 21), "float32"), {"voxels": 9, "detector_pixels": 21, "arc": 360}
    row = ts._row_of("reconstruction")
    assert row.make_layers(views, 8, 1, options).shape == (1, 9, 9)
    for first, count in ((8, 2), (-1, 1), (0, 0), (0, 10)):
        with pytest.raises(ValueError, match="layer"):
            row.make_layers(views, first, count, options)
    with pytest.raises(ValueError, match="finite"):
        row.make_layers(numpy.full_like(views, numpy.nan), 0, 1, options)
