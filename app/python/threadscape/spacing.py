"""Volumes of xarray and SimpleITK: the spacing that they state becomes parameters of a run, and results state theirs.
Neither package is imported; what makes a result is the one that the volume comes from."""

import sys

import numpy

#: Parameters for the distances between slices, rows and columns of an object, and of views; views lie at angles.
_VOXELS = ("voxel_size_y", "voxel_size_z", "voxel_size")
_PIXELS = (None, "pixel_size_v", "pixel_size")
_ANGLES = ("arc", "step", "turn", "reverse", "angles")


def _library(array):
    roots = [base.__module__.partition(".")[0] for base in type(array).__mro__]
    return next((name for name in ("xarray", "SimpleITK") if name in roots), "")


def _step(array, dimension):
    """The distance between places of a dimension, from its coordinate; None without one, or for a single place. Views
    lie at angles of any distance."""
    if dimension == "angle" or dimension not in array.coords or array.coords[dimension].shape[0] < 2:
        return None
    places = numpy.asarray(array.coords[dimension])
    if places.dtype.kind not in "iuf":
        return None
    steps = numpy.diff(places.astype(numpy.float64))
    mean = float(steps.mean())
    if not numpy.allclose(steps, mean, rtol=0, atol=1e-3 * abs(mean)):
        raise ValueError(f"the coordinate '{dimension}' is not evenly spaced")
    return abs(mean)


def _angles(array, dimension):
    """The angles of views in degrees, if the first dimension has that name."""
    if dimension != "angle" or dimension not in array.coords:
        return None
    return numpy.asarray(array.coords[dimension]).astype(numpy.float64)


def _read(array, library, views):
    """The values, what lies between slices, rows and columns (None where that is not known), and angles of views."""
    if library == "SimpleITK":
        spacing = [float(length) for length in reversed(array.GetSpacing())]
        values, angles = sys.modules[library].GetArrayViewFromImage(array), None
        return values, spacing if len(spacing) == 3 else [None] * 3, angles
    values = array.data if hasattr(array.data, "__cuda_array_interface__") else numpy.asarray(array.data)
    if len(array.dims) != 3:
        return values, [None] * 3, None
    angles = _angles(array, array.dims[0]) if views else None
    written = array.attrs.get("spacing")
    written = [None] * 3 if written is None else [float(length) for length in written]
    if len(written) != 3:
        raise ValueError(f"the attribute 'spacing' has {len(written)} lengths instead of three, one for each dimension")
    spacing = []
    for length, dimension in zip(written, array.dims):
        found = _step(array, dimension)
        spacing.append(length if found is None else found)
    return values, spacing, angles


def taken(algorithm, arrays, options):
    """The arrays and options of a run: a volume that states its spacing as an array and parameters. Those that `options`
    have take the place of all that the volume states of voxels, of pixels, or of angles."""
    library = _library(arrays[0]) if arrays else ""
    if not library:
        return arrays, options
    views = algorithm.takes_views()
    values, spacing, angles = _read(arrays[0], library, views)
    names = {parameter["name"] for parameter in algorithm.describe()["parameters"]}
    lengths = _PIXELS if views else _VOXELS
    stated = {}
    if not any(name in options for name in lengths):
        pairs = zip(lengths, spacing)
        stated |= {name: length for name, length in pairs if name in names and length is not None}
    if angles is not None and not any(name in options for name in _ANGLES):
        stated["angles"] = ",".join(map(repr, angles.tolist()))
    return (values, *arrays[1:]), {**stated, **options}


def call(algorithm, arrays, options):
    """A run on an array of any library, whose result is of xarray or SimpleITK if the input is."""
    given, all_options = taken(algorithm, arrays, options)
    found = algorithm(*given, **all_options)
    if given is arrays or options.get("out") is not None:
        return found
    volume = arrays[0]
    stated = algorithm.spacing_of(given[0], all_options)
    module = sys.modules[_library(volume)]
    if not hasattr(module, "DataArray"):
        image = module.GetImageFromArray(found)
        if stated is None:
            image.CopyInformation(volume)
        else:
            image.SetSpacing(tuple(reversed(stated[0])))
        return image
    if stated is None:
        return module.DataArray(found, dims=volume.dims, coords=volume.coords, attrs=volume.attrs, name=volume.name)
    spacing, angles = stated
    dims = ("slice" if angles is None else "angle", "row", "column")
    places = [(numpy.arange(n) - (n - 1) / 2) * length for n, length in zip(found.shape, spacing)]
    if angles is not None:
        places[0] = numpy.array(angles)
    return module.DataArray(
        found, dims=dims, coords=dict(zip(dims, places)), attrs={"spacing": tuple(spacing)}, name=volume.name
    )
