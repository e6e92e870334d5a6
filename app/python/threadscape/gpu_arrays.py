"""Arrays of other libraries in the memory of a GPU: the stream on which a library works, and new arrays of it. CuPy and
PyTorch get arrays of their own, JAX takes one by DLPack, and all others get a DeviceArray."""

import contextlib
import sys


def _library(array):
    roots = [base.__module__.partition(".")[0] for base in type(array).__mro__]
    return next((name for name in ("cupy", "torch", "jaxlib", "jax") if name in roots), "")


def handle_of(stream):
    """The handle of a stream as a number. The one that all wait for is 0, which interfaces call 1."""
    pair = getattr(stream, "__cuda_stream__", None)
    if pair is not None:
        stream = (pair() if callable(pair) else pair)[1]
    for name in ("ptr", "cuda_stream"):
        stream = getattr(stream, name, stream)
    if not isinstance(stream, int) or stream < 0:
        raise ValueError(f"stream: {stream!r} is none; accepted are the streams of CuPy and PyTorch, and handles")
    return 0 if stream == 1 else stream


def stream_of(array):
    """The stream on which the library of the array works now."""
    library = _library(array)
    if library == "cupy":
        with array.device:
            return handle_of(sys.modules["cupy"].cuda.get_current_stream())
    if library == "torch":
        return handle_of(sys.modules["torch"].cuda.current_stream(array.device))
    if library in ("jax", "jaxlib"):
        array.block_until_ready()  # It names no stream, and its arrays are there when that returns.
    return handle_of(getattr(array, "__cuda_array_interface__", {}).get("stream") or 0)


@contextlib.contextmanager
def _working(array, stream):
    """The library works on this stream meanwhile, and on the device of the array."""
    if _library(array) == "cupy":
        cuda = sys.modules["cupy"].cuda
        with array.device:
            same = handle_of(cuda.get_current_stream()) == stream
            with contextlib.nullcontext() if same else cuda.ExternalStream(stream):
                yield
    else:
        cuda = sys.modules["torch"].cuda
        same = handle_of(cuda.current_stream(array.device)) == stream
        with cuda.stream(None if same else cuda.ExternalStream(stream, device=array.device)):
            yield


def empty(array, shape, dtype, stream):
    """A new array of the library of `array`, on its device; None for libraries that are not known."""
    library = _library(array)
    if library not in ("cupy", "torch"):
        return None
    with _working(array, stream):
        if library == "cupy":
            return sys.modules["cupy"].empty(shape, dtype)
        torch = sys.modules["torch"]
        return torch.empty(shape, dtype=getattr(torch, dtype), device=array.device)


def contiguous(array, stream):
    """The array with its values side by side, which its library copies on the device; None as for empty()."""
    if _library(array) not in ("cupy", "torch"):
        return None
    with _working(array, stream):
        return array.contiguous() if _library(array) == "torch" else sys.modules["cupy"].ascontiguousarray(array)


def opaque(array, stream):
    """An array of three channels with a fourth one, made on the device; None as for empty()."""
    if _library(array) not in ("cupy", "torch"):
        return None
    dtype = str(array.dtype).rpartition(".")[2]
    made = empty(array, (*array.shape[:-1], 4), dtype, stream)
    with _working(array, stream):
        made[..., :3] = array
        made[..., 3] = {"uint8": 0xFF, "uint16": 0xFFFF}.get(dtype, 1)
    return made


def handed_over(array, made):
    """The result, a DeviceArray, in the library of the input `array`, if that takes it."""
    return sys.modules["jax"].dlpack.from_dlpack(made) if _library(array) in ("jax", "jaxlib") else made
