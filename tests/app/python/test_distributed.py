"""Blocks of Dask arrays on processes of dask.distributed: their hashes are those of a run on the whole, also if one of
the processes is killed after it has computed blocks."""

import hashlib
import os
import signal

import numpy
import pytest
import threadscape as ts

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
import dask.array  # noqa: E402
import threadscape.dask  # noqa: E402

LONGEST = 100  # Seconds after which a wait fails; none takes so long.
BLOCK = 64


@pytest.fixture(scope="module")
def client():
    settings = {"distributed.comm.timeouts.connect": LONGEST, "distributed.deploy.lost-worker-timeout": LONGEST}
    with dask.config.set(settings):
        with distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
        ) as cluster:
            with distributed.Client(cluster, timeout=LONGEST) as client:
                yield client


def digest(block):
    return hashlib.sha256(numpy.ascontiguousarray(block)).hexdigest()


def gated(block, block_info=None):
    """Hands a block on; the first one waits until the gate is open, and leaves the thread of its process to others."""
    if block_info[0]["chunk-location"] == (0, 0):
        distributed.secede()
        assert distributed.Event("gate").wait(timeout=LONGEST)
    return block


def hashes_of(array):
    return [dask.delayed(digest)(block) for block in array.to_delayed().ravel()]


def opened(array):
    return ts.dask.morphology(array, operation="open", size=9)


def expected_hashes(image):
    whole = ts.morphology(image, operation="open", size=9)
    return [digest(whole[y : y + BLOCK, x : x + BLOCK]) for y in range(0, 320, BLOCK) for x in range(0, 384, BLOCK)]


@pytest.fixture
def image():
    return numpy.random.default_rng(7).integers(0, 255, (320, 384)).astype("uint8")


def test_blocks_on_two_processes_are_those_of_the_whole(client, image):
    array = dask.array.from_array(image, chunks=(BLOCK, BLOCK))
    futures = client.compute(hashes_of(opened(array)))
    assert [future.result(timeout=LONGEST) for future in futures] == expected_hashes(image)


def test_views_and_slabs_on_two_processes_are_those_of_the_whole(client):
    volume = numpy.random.default_rng(8).random((24, 20, 22), numpy.float32)
    scan = {"geometry": "cone", "detector_pixels": 30, "pixel_size": 2, "arc": 360, "step": 15}
    made = {**scan, "voxels": 22, "voxels_y": 24, "voxels_z": 20}
    views = ts.dask.projection(dask.array.from_array(volume, chunks=(4, 20, 22)), **scan)
    back = ts.dask.reconstruction(views, **made)
    assert views.numblocks == back.numblocks == (6, 1, 1)
    futures = client.compute(hashes_of(views) + hashes_of(back))
    whole = ts.projection(volume, **scan)
    layers = ts.reconstruction(whole, **made)
    expected = [digest(whole[i : i + 4]) for i in range(0, 24, 4)] + [digest(layers[i : i + 4]) for i in range(0, 24, 4)]
    assert [future.result(timeout=LONGEST) for future in futures] == expected


def test_blocks_of_a_killed_process_are_computed_again(client, image):
    array = dask.array.from_array(image, chunks=(BLOCK, BLOCK)).map_blocks(gated, dtype=image.dtype)
    futures = client.compute(hashes_of(opened(array)))
    # The results of the first block and of its neighbours wait for the gate; all others are there.
    gate, columns = distributed.Event("gate", client=client), 384 // BLOCK
    waiting = {0, 1, columns, columns + 1}
    ready = [future for i, future in enumerate(futures) if i not in waiting]
    distributed.wait(ready, timeout=LONGEST)
    assert not futures[0].done()
    holders = [holder for at in client.who_has(ready).values() for holder in at]
    killed = max(set(holders), key=holders.count)
    process = client.run(os.getpid)[killed]
    os.kill(process, signal.SIGKILL)
    gate.set()
    assert [future.result(timeout=LONGEST) for future in futures] == expected_hashes(image)
    client.wait_for_workers(2, timeout=LONGEST)
    # Its results lie with processes that live.
    pids = client.run(os.getpid)
    assert process not in pids.values()
    assert all(holder in pids for at in client.who_has(futures).values() for holder in at)
