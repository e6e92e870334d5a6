"""The algorithms as functions of Dask arrays. Each block of the result is computed from the region of the input that it
needs, and has the bits of a run on the whole. It needs the package dask.

`threadscape.dask.median(array, size=5)` and all others whose results can be cut; for the others there is a ValueError
that says why not. The result has the blocks of the array; `blocks` proposes their size. A block is computed by one
thread unless `threads` says otherwise. With `backend="cuda"` blocks of CuPy stay on their GPU.

`projection` and `reconstruction` with method="fdk" need all of the array for each block: their results are cut into as
many ranges of views, or of slices, as the array has blocks.
"""

import itertools

import dask.array
import numpy

import threadscape


def _stand_in(array):
    """An array of the shape and the type of another one that takes no memory."""
    return numpy.broadcast_to(numpy.empty((), array.dtype), array.shape)


def _axes(row, kind):
    """The number of axes of data of this kind, without that of the channels."""
    return {"volume": 3, "clip": 3, "sequence": 1, "mesh": 1}.get(row[kind], 2)


def _regions(chunks):
    """The regions of all blocks of these sizes, as (starts, sizes) of each axis."""
    places = [list(zip(itertools.accumulate((0,) + sizes[:-1]), sizes)) for sizes in chunks]
    return [tuple(zip(*region)) for region in itertools.product(*places)]


def _compute(part, start, sizes, name, options):
    """A block of the result: the run on a region of the input, without what surrounds the block."""
    part = numpy.ascontiguousarray(part, like=part)  # Blocks of CuPy stay on their GPU.
    result = threadscape._rows[name](part, **options)
    place = tuple(slice(at, at + size) for at, size in zip(start, sizes))
    return numpy.ascontiguousarray(result[place], like=result)


def _compute_layers(part, first, count, name, options):
    """Layers of a volume, from all of the array."""
    return threadscape._rows[name].make_layers(numpy.ascontiguousarray(part), first, count, options)


def _views_of(angles, options):
    """The options of a run that makes the views of these angles alone. Those of a list are kept as they are."""
    listed = {} if options.get("angles") else {"turn": 0, "reverse": False}
    return {**options, **listed, "angles": ",".join(map(repr, angles))}


def _in_layers(name, array, options, shape, dtype):
    """A volume in as many blocks as the array has, each of which is computed from all of the array: views of a scan by
    their angles, and other layers by their numbers."""
    algorithm = threadscape._rows[name]
    listed = options.get("angles", "")
    if not isinstance(listed, str):
        listed = ",".join(map(repr, numpy.ravel(listed).tolist()))
        options = {**options, "angles": listed}
    stated = algorithm.spacing_of(_stand_in(array), options)
    angles = stated[1] if stated else None
    if angles is None:
        algorithm.require_layers(options)
        if hasattr(array._meta, "__cuda_array_interface__"):
            raise ValueError(f"{name}: layers are made of arrays in host memory, as map_blocks(cupy.asnumpy) returns")
    elif listed:
        angles = [float(angle) for angle in listed.replace(",", " ").replace(";", " ").split()]
    elif options.get("feed"):
        raise ValueError("feed: views of a spiral scan are cut into blocks where `angles` lists them")
    count = min(array.npartitions, shape[0])
    edges = [i * shape[0] // count for i in range(count + 1)]
    whole, parts = array.rechunk(-1), []
    meta = dask.array.utils.meta_from_array(array, 3, dtype)
    for first, end in zip(edges, edges[1:]):
        if angles is None:
            task = (_compute_layers, first, end - first, name, options)
        else:
            task = (_compute, (0, 0, 0), (end - first, *shape[1:]), name, _views_of(angles[first:end], options))
        chunks = tuple((size,) for size in (end - first, *shape[1:]))
        parts.append(whole.map_blocks(*task, token=name, dtype=dtype, meta=meta, chunks=chunks))
    return dask.array.concatenate(parts)


def _run(name, array, **options):
    algorithm, row = threadscape._row_of(name), threadscape.algorithms[name]
    if "out" in options:
        raise ValueError("out: results of Dask arrays are made block by block")
    options.setdefault("threads", 1)  # Workers have threads, each for a block.
    array = dask.array.asarray(array)
    if numpy.isnan(array.shape).any():
        raise ValueError(f"{name}: the extents of the array are not known; compute_chunk_sizes() finds them")
    axes = _axes(row, "input")
    shape, dtype = algorithm.result_of(_stand_in(array), options)
    if row["input"] == "clip" or row["output"] != row["input"] and _axes(row, "output") != axes:
        raise ValueError(f"{name} makes a {row['output']} of a {row['input']}, which is not cut into blocks")
    if row["output"] == "volume" == row["input"] and not algorithm.has_regions():
        return _in_layers(name, array, options, shape, dtype)
    # Results of other extents have blocks that are as large as those of the array.
    chunks = dask.array.core.normalize_chunks(array.chunksize[:axes], shape[:axes])
    if shape[:axes] == array.shape[:axes]:
        chunks = array.chunks[:axes]
    regions = _regions(chunks)
    inputs = algorithm.inputs_of(_stand_in(array), regions, options)
    channels = shape[axes:]
    if array.ndim > axes and array.shape[axes] == 3 and channels == (4,):
        channels = (3,)  # An opaque alpha that was added is taken away.
    blocks = numpy.empty([len(sizes) for sizes in chunks] + [1] * len(channels), object)
    meta = dask.array.utils.meta_from_array(array, axes + len(channels), dtype)
    for place, (first, sizes), (start, extents, _) in zip(numpy.ndindex(blocks.shape), regions, inputs):
        part = array[tuple(slice(at, at + size) for at, size in zip(start, extents))].rechunk(-1)
        inner = tuple(at - origin for at, origin in zip(first, start))
        blocks[place] = part.map_blocks(
            _compute, inner, sizes, name, options, token=name, dtype=dtype, meta=meta,
            chunks=tuple((size,) for size in (*sizes, *channels)),
            drop_axis=list(range(axes, part.ndim)) if part.ndim > axes and not channels else None,
            new_axis=axes if channels and part.ndim == axes else None,
        )  # fmt: skip
    return dask.array.block(blocks.tolist())


def blocks(algorithm, array, memory, **options):
    """The shape of blocks, with sides of a power of two as far as the array allows, for which a thread of a worker needs
    at most `memory` bytes: for the region of the input, the result, and what the algorithm takes meanwhile."""
    row = threadscape._row_of(algorithm)
    axes = _axes(row.describe(), "input")
    side = 1 << (max(array.shape[:axes]) - 1).bit_length()
    while side >= 16:
        sizes = tuple(min(side, extent) for extent in array.shape[:axes])
        middle = tuple((extent - size) // 2 for extent, size in zip(array.shape, sizes))
        if row.inputs_of(_stand_in(array), [(middle, sizes)], options)[0][2] <= memory:
            return sizes + array.shape[axes:]
        side //= 2
    raise ValueError(f"blocks with sides of 16 need more than {memory} bytes")


def _function(name):
    def function(array, /, **options):
        return _run(name, array, **options)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"As threadscape.{name}, for Dask arrays.\n\n{getattr(threadscape, name).__doc__}"
    return function


def __getattr__(name):
    if name not in threadscape.algorithms:
        raise AttributeError(f"module 'threadscape.dask' has no attribute '{name}'")
    if threadscape.algorithms[name]["input"] == "none":
        raise AttributeError(f"threadscape.{name} takes no array")
    globals()[name] = _function(name)
    return globals()[name]


def __dir__():
    return ["blocks", *(name for name, row in threadscape.algorithms.items() if row["input"] != "none")]
