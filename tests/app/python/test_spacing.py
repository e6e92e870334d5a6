"""Volumes of xarray and SimpleITK: their spacing goes along into runs and results. Stand-ins take the place of both
libraries, and where they are installed they are tested as well."""

import subprocess
import sys
import types

import numpy
import pytest
import threadscape as ts

SCAN = {"geometry": "cone", "detector_pixels": 24, "pixel_size": 2.5, "arc": 360, "step": 30}
RNG = numpy.random.default_rng(4)
VOLUME = RNG.random((10, 12, 14), numpy.float32)


class DataArray:
    """The part of xarray.DataArray that the package uses."""

    __module__ = "xarray.core.dataarray"

    def __init__(self, data, coords=None, dims=None, name=None, attrs=None):
        self.data, self.dims, self.name, self.attrs = data, tuple(dims), name, dict(attrs or {})
        self.shape = data.shape
        self.coords = {key: numpy.asarray(places) for key, places in (coords or {}).items()}


class Image:
    """The part of SimpleITK.Image that the package uses; it has its axes in the order x, y, z."""

    __module__ = "SimpleITK.SimpleITK"

    def __init__(self, values):
        self.values, self.spacing = values, (1.0,) * values.ndim

    def GetSpacing(self):
        return self.spacing

    def SetSpacing(self, spacing):
        self.spacing = spacing

    def CopyInformation(self, other):
        self.spacing = other.spacing


@pytest.fixture(params=["stand-in", "library"])
def xarray(request, monkeypatch):
    if request.param == "library":
        return pytest.importorskip("xarray")
    module = types.ModuleType("xarray")
    module.DataArray = DataArray
    monkeypatch.setitem(sys.modules, "xarray", module)
    return module


@pytest.fixture(params=["stand-in", "library"])
def sitk(request, monkeypatch):
    if request.param == "library":
        return pytest.importorskip("SimpleITK")
    module = types.ModuleType("SimpleITK")
    module.GetImageFromArray = Image
    module.GetArrayViewFromImage = lambda image: image.values
    monkeypatch.setitem(sys.modules, "SimpleITK", module)
    return module


def spaced(xarray, values, lengths, dims=("z", "y", "x"), **rest):
    places = {dim: 5 - numpy.arange(n) * length for dim, n, length in zip(dims, values.shape, lengths)}
    return xarray.DataArray(values, dims=dims, coords=places, **rest)


def expected_views(**more):
    return ts.projection(VOLUME, **SCAN, voxel_size=1.5, voxel_size_z=1.25, voxel_size_y=2, **more)


def test_the_coordinates_of_a_volume_are_the_sides_of_its_voxels(xarray):
    volume = spaced(xarray, VOLUME, (2, 1.25, 1.5), name="density")
    views = ts.projection(volume, **SCAN)
    assert type(views) is xarray.DataArray and views.dims == ("angle", "row", "column") and views.name == "density"
    assert numpy.array_equal(views.data, expected_views())
    assert not numpy.array_equal(views.data, ts.projection(VOLUME, **SCAN))
    assert numpy.asarray(views.coords["angle"]).tolist() == [30.0 * i - 180 for i in range(12)]
    assert numpy.allclose(numpy.diff(views.coords["column"]), 2.5) and views.attrs["spacing"] == (30, 2.5, 2.5)


def test_attributes_take_the_place_of_coordinates(xarray):
    volume = xarray.DataArray(VOLUME, dims=("z", "y", "x"), attrs={"spacing": [2, 1.25, 1.5]})
    assert numpy.array_equal(ts.projection(volume, **SCAN).data, expected_views())
    volume.attrs["spacing"] = (1, 2)
    with pytest.raises(ValueError, match="three, one for each dimension"):
        ts.projection(volume, **SCAN)


def test_what_the_caller_states_holds(xarray):
    volume = spaced(xarray, VOLUME, (2, 1.25, 1.5))
    found = ts.projection(volume, **SCAN, voxel_size=3)
    assert numpy.array_equal(found.data, ts.projection(VOLUME, **SCAN, voxel_size=3))
    out = numpy.empty_like(found.data)
    assert ts.projection(volume, **SCAN, out=out) is out and numpy.array_equal(out, expected_views())
    assert ts.bench(ts.projection, volume, runs=1, backends=["openmp"], **SCAN)[0]["median_ms"] > 0


def test_places_that_are_not_even_are_refused(xarray):
    places = {"x": numpy.arange(14.0) ** 2}
    with pytest.raises(ValueError, match="'x' is not evenly spaced"):
        ts.projection(xarray.DataArray(VOLUME, dims=("z", "y", "x"), coords=places), **SCAN)
    with pytest.raises(ValueError, match="voxel_size"):
        ts.projection(spaced(xarray, VOLUME, (1, 1, 1e-9)), **SCAN)


def test_views_go_from_a_projection_to_a_reconstruction_with_their_scan(xarray):
    uneven = {"geometry": "cone", "detector_pixels": 24, "pixel_size": 2.5, "pixel_size_v": 3, "angles": "0,50,95,180,270"}
    views = ts.projection(spaced(xarray, VOLUME, (2, 1.25, 1.5)), **uneven)
    options = {"voxels": 9, "voxel_size": 2, "voxel_size_y": 3, "voxel_size_z": 4, "source_distance": 90}
    volume = ts.reconstruction(views, **options)
    assert numpy.array_equal(volume.data, ts.reconstruction(views.data, **options, **uneven))
    assert volume.dims == ("slice", "row", "column") and volume.attrs["spacing"] == (3, 4, 2)
    assert numpy.asarray(volume.coords["row"]).tolist() == [4.0 * (i - 4) for i in range(9)]
    turned = ts.reconstruction(views, **options, arc=180)
    assert numpy.array_equal(turned.data, ts.reconstruction(views.data, **options, pixel_size=2.5, pixel_size_v=3, arc=180))
    damped = ts.beer_lambert(views)
    assert numpy.array_equal(damped.data, ts.beer_lambert(views.data)) and damped.dims == views.dims
    assert numpy.array_equal(damped.coords["angle"], views.coords["angle"])


def test_images_state_their_spacing_from_columns_to_slices(sitk):
    image = sitk.GetImageFromArray(VOLUME)
    image.SetSpacing((1.5, 1.25, 2.0))
    views = ts.projection(image, **SCAN)
    assert type(views) is type(image) and views.GetSpacing() == (2.5, 2.5, 30)
    assert numpy.array_equal(sitk.GetArrayViewFromImage(views), expected_views())
    damped = ts.beer_lambert(image)
    assert damped.GetSpacing() == (1.5, 1.25, 2.0)
    assert numpy.array_equal(sitk.GetArrayViewFromImage(damped), ts.beer_lambert(VOLUME))
    volume = ts.reconstruction(views, voxels=5, arc=360, step=30)
    assert volume.GetSpacing() == (1, 1, 1)
    scan = {"arc": 360, "step": 30, "pixel_size": 2.5}
    assert numpy.array_equal(sitk.GetArrayViewFromImage(volume), ts.reconstruction(expected_views(), voxels=5, **scan))


def test_what_is_no_volume_is_refused(xarray, sitk):
    with pytest.raises(ValueError, match="slices, rows, columns"):
        ts.projection(xarray.DataArray(VOLUME[0], dims=("y", "x")))
    with pytest.raises(ValueError, match="slices, rows, columns"):
        ts.projection(sitk.GetImageFromArray(VOLUME[0]))


def test_neither_library_is_imported():
    program = """
import sys, numpy, threadscape as ts
ts.beer_lambert(memoryview(numpy.ones((2, 3, 4), numpy.float32)))
print("threadscape.spacing" in sys.modules, "xarray" in sys.modules, "SimpleITK" in sys.modules)
"""
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["True", "False", "False"]
