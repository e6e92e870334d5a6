"""Arrays of CuPy, PyTorch and JAX on a GPU: results have the bits of the host, stay there, and follow the stream."""

import threading

import numpy
import pytest

import threadscape as ts

if not ts.devices() or ts.devices()[0].startswith("host memory"):
    pytest.skip("there is no GPU", allow_module_level=True)

FILTERS = [name for name, row in ts.algorithms.items() if row["input"] == row["output"] == "image" and name != "chain"]


def cupy():
    return pytest.importorskip("cupy")


def torch():
    module = pytest.importorskip("torch")
    if not module.cuda.is_available():
        pytest.skip("PyTorch sees no GPU")
    return module


def picture(height, width, dtype=numpy.uint8, channels=1):
    shape = (height, width) if channels == 1 else (height, width, channels)
    values = numpy.random.default_rng(1).integers(0, 256, shape)
    return (values / 255).astype(dtype) if dtype == numpy.float32 else values.astype(dtype)


@pytest.mark.parametrize("library", [cupy, torch])
@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("shape", [(61, 97), (64, 256), (64, 256, 4), (61, 97, 3)])
@pytest.mark.parametrize("dtype", [numpy.uint8, numpy.float32])
def test_results_are_those_of_the_host(library, name, shape, dtype):
    module, function = library(), getattr(ts, name)
    image = picture(*shape[:2], dtype, *shape[2:])
    try:
        expected = function(image, backend="cuda", seed=3)
    except ValueError:
        pytest.skip("takes no such pictures")
    on_gpu = module.asarray(image) if module.__name__ == "cupy" else module.from_numpy(image).cuda()
    found = function(on_gpu, backend="cuda", seed=3)
    assert type(found) is type(on_gpu) and found.device == on_gpu.device
    host = found.get() if module.__name__ == "cupy" else found.cpu().numpy()
    assert host.dtype == expected.dtype and numpy.array_equal(host, expected)


def test_views_are_read_where_they_lie_and_others_are_copied_on_the_device():
    module = cupy()
    image = module.asarray(picture(80, 120))
    for view in (image[3:70, 5:90], image.T, image[::-1, ::2]):
        expected = ts.median(module.ascontiguousarray(view).get(), size=5)
        assert numpy.array_equal(ts.median(view, size=5, backend="cuda").get(), expected)


def test_out_is_written_in_place():
    module = cupy()
    image, out = module.asarray(picture(64, 256)), module.zeros((64, 300), module.uint8)
    assert ts.median(image, backend="cuda", out=out[:, 7:263]) is not None
    assert numpy.array_equal(out[:, 7:263].get(), ts.median(image.get()))
    assert not out[:, :7].any() and not out[:, 263:].any()
    whole = module.zeros_like(image)
    assert ts.median(image, backend="cuda", out=whole) is whole
    assert numpy.array_equal(whole.get(), ts.median(image.get()))


@pytest.mark.parametrize("name, shape", [("beer_lambert", (9, 31, 40)), ("thermal_erosion", (61, 97))])
def test_volumes_and_heightfields(name, shape):
    values = numpy.random.default_rng(3).random(shape, numpy.float32)
    expected = getattr(ts, name)(values, backend="cuda")
    for on_gpu in (cupy().asarray(values), torch().from_numpy(values).cuda()):
        found = getattr(ts, name)(on_gpu, backend="cuda")
        host = found.get() if hasattr(found, "get") else found.cpu().numpy()
        assert numpy.array_equal(host, expected)


def test_work_follows_what_the_stream_has_before_and_leads_what_it_has_after():
    module = cupy()
    for stream in (module.cuda.Stream(non_blocking=True), module.cuda.Stream.null):
        with stream:
            for size in (3, 25):
                ones = module.zeros((4096, 4096), module.uint8)
                for _ in range(30):
                    ones += 1  # Takes longer than the call below takes to queue its work.
                found = ts.median(ones, size=size, backend="cuda")
                ones.fill(0)  # After it has been read.
                total = int(found.astype(module.int64).sum())
                assert total == 30 * 4096 * 4096


def test_a_stream_may_be_named():
    module = cupy()
    first, second = (module.cuda.Stream(non_blocking=True) for _ in range(2))
    with first:
        ones = module.zeros((4096, 4096), module.uint8)
        for _ in range(30):
            ones += 1
        found = ts.median(ones, size=5, backend="cuda", stream=second)
    second.synchronize()
    assert int(found.min()) == int(found.max()) == 30


def test_torch_streams_are_followed():
    module = torch()
    stream = module.cuda.Stream()
    with module.cuda.stream(stream):
        ones = module.zeros((4096, 4096), dtype=module.uint8, device="cuda")
        for _ in range(30):
            ones += 1
        found = ts.median(ones, size=5, backend="cuda")
        ones.zero_()
    stream.synchronize()
    assert int(found.min()) == int(found.max()) == 30


def test_gradients_are_not_taken():
    module = torch()
    with pytest.raises(RuntimeError, match="grad"):
        ts.median(module.zeros((8, 9), device="cuda", requires_grad=True), backend="cuda")


def test_the_current_device_of_the_caller_stays():
    module = cupy()
    before = module.cuda.runtime.getDevice()
    last = len(ts.devices()) - 1
    with module.cuda.Device(last):
        image = module.asarray(picture(61, 97))
    found = ts.median(image, backend="cuda")
    assert found.device.id == last and module.cuda.runtime.getDevice() == before
    if last > 0:
        with pytest.raises(ValueError, match="does not lie in the memory"):
            ts.median(image, backend="cuda", device=0)


def test_threads_have_streams_of_their_own():
    module = cupy()
    images = [module.asarray(picture(200 + i, 300)) for i in range(4)]
    expected = [ts.median(image.get(), size=7) for image in images]
    wrong = []

    def work(i):
        with module.cuda.Device(0), module.cuda.Stream(non_blocking=True) as stream:
            for _ in range(20):
                found = ts.median(images[i], size=7, backend="cuda")
                stream.synchronize()
                if not numpy.array_equal(found.get(), expected[i]):
                    wrong.append(i)

    module.cuda.Device(0).synchronize()
    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_jax_gets_arrays_of_jax():
    jax = pytest.importorskip("jax")
    try:
        image = jax.device_put(picture(61, 97), jax.devices("gpu")[0])
    except RuntimeError as error:
        pytest.skip(str(error))
    found = ts.median(image, size=5, backend="cuda")
    assert isinstance(found, jax.Array)
    assert numpy.array_equal(numpy.asarray(found), ts.median(numpy.asarray(image), size=5))


def test_blocks_of_dask_stay_on_the_gpu():
    module, dask_array = cupy(), pytest.importorskip("dask.array")
    image = picture(300, 500)
    blocks = dask_array.from_array(module.asarray(image), chunks=128, asarray=False)
    found = ts.dask.median(blocks, size=9, backend="cuda").compute()
    assert isinstance(found, module.ndarray) and numpy.array_equal(found.get(), ts.median(image, size=9))


@pytest.mark.parametrize("dtype", [numpy.uint8, numpy.int16, numpy.float32])
def test_ndimage_leaves_arrays_of_cupy_on_the_gpu(dtype):
    module, image = cupy(), (picture(61, 97) // 2).astype(dtype)
    for name, arguments in [("median_filter", 5), ("grey_opening", (3, 7)), ("uniform_filter", 5), ("gaussian_laplace", 1.5)]:
        found = getattr(ts.ndimage, name)(module.asarray(image), arguments)
        assert isinstance(found, module.ndarray)
        assert numpy.array_equal(found.get(), getattr(ts.ndimage, name)(image, arguments))
