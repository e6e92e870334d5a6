"""What the package asks the program for: pictures, kernels, marks, and the open window."""

import os
import pathlib
import socket
import struct
import subprocess
import sys
import threading

import numpy
import pytest
import threadscape as ts

SKETCHES = pathlib.Path(__file__).parents[3] / "assets" / "sketches"
MEAN = """
// sketch: brighter
// reads: picture gray u8    makes: picture gray u8
// param: by = 1 (0..100)  "how much"

#include "threadscape.h"

__global__ void brighter(Image<const unsigned char> in, Image<unsigned char> out, int by) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (out.inside(x, y)) out(x, y) = min(255, in(x, y) + by);
}
"""
KERNEL = """
__global__ void add(float* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] += 1;
}
"""


def picture(rows=30, columns=40):
    return numpy.random.default_rng(3).integers(0, 255, (rows, columns)).astype(numpy.uint8)


def compiled(call):
    """The result of a call that compiles a kernel, where the compiler is found."""
    try:
        return call()
    except RuntimeError as error:
        if "NVRTC" in str(error) or "nvcc" in str(error):
            pytest.skip("no compiler for kernels is found")
        raise


def test_without_the_program_a_sentence_says_what_is_missing(monkeypatch):
    monkeypatch.delenv("THREADSCAPE_PROGRAM")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(RuntimeError, match="is not in PATH: install it"):
        ts.render("sobel", picture())
    monkeypatch.setenv("THREADSCAPE_PROGRAM", "/nowhere/threadscape")
    with pytest.raises(RuntimeError, match="cannot start the program '/nowhere/threadscape'"):
        ts.render("sobel", picture())


def rendered(*arguments, **options):
    try:
        return ts.render(*arguments, **options)
    except RuntimeError as error:
        if "OpenGL" in str(error) or "EGL" in str(error):
            pytest.skip(f"no OpenGL: {error}")
        raise


def test_a_rendered_result_is_a_png_of_its_size(tmp_path):
    found = rendered(ts.sobel, picture(), norm="l2")
    assert found[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", found[16:24]) == (40, 30)
    assert found._repr_png_() == bytes(found) and repr(found).startswith("<40 x 30 PNG")
    found.save(tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes() == found
    assert rendered("diamond_square", n=5, size=(64, 48))[16:24] == struct.pack(">II", 64, 48)
    with pytest.raises(ValueError, match="'border' refuses 'around'"):
        ts.render("median", picture(), border="around")
    with pytest.raises(ValueError, match="accepted are"):
        ts.render("medium", picture())


def test_a_sketch_is_a_function():
    brighter = ts.sketch(MEAN)
    assert repr(brighter) == "<sketch brighter: picture gray u8 to picture gray u8>"
    image = picture()
    found = compiled(lambda: brighter(image, by=7))
    assert numpy.array_equal(found, numpy.minimum(image.astype(int) + 7, 255))
    with pytest.raises(ValueError, match="by"):
        brighter(image, by=101)
    with pytest.raises(ValueError, match="takes an array"):
        brighter()
    with pytest.raises(ValueError, match="error"):
        ts.sketch(MEAN.replace("by);", "how);"))(image)


def test_sketches_of_files_read_and_make_other_kinds_of_data():
    numbers = numpy.arange(1, 1001, dtype=numpy.int32)
    assert compiled(lambda: ts.sketch(SKETCHES / "reduce_1.cu")(numbers)) == numbers.sum()
    assert numpy.array_equal(ts.sketch(SKETCHES / "scan.cu")(numbers), numpy.cumsum(numbers))
    counts = ts.sketch(SKETCHES / "histogram.cu")(picture())
    assert numpy.array_equal(counts, numpy.bincount(picture().ravel(), minlength=256))
    with pytest.raises(ValueError, match="reads a sequence of int32"):
        ts.sketch(SKETCHES / "scan.cu")(numbers.astype(float))


def test_a_sketch_is_compared_with_an_algorithm():
    sobel = ts.sketch(SKETCHES / "sobel.cu")
    assert "ok, 4096 values are equal" in compiled(lambda: sobel.verify(seeds=1))
    with pytest.raises(ValueError, match="prewitt"):
        sobel.verify(check=ts.prewitt, seeds=1)


@pytest.mark.parametrize("text, sentence", [("// no head\n", "lacks 'reads"), (MEAN.replace("makes", "takes"), "lacks")])
def test_a_sketch_without_a_head_is_refused(text, sentence):
    with pytest.raises(ValueError, match=sentence):
        ts.sketch(text)


def test_a_cell_becomes_a_sketch():
    class Shell:
        user_ns = {}

        def register_magic_function(self, function, kind, name):
            assert (kind, name) == ("cell", "sketch")
            self.magic = function

    shell = Shell()
    ts.load_ipython_extension(shell)
    shell.magic("mine", MEAN)
    assert shell.user_ns["mine"].name == "brighter"
    with pytest.raises(ValueError, match="name of a variable"):
        shell.magic("not a name", MEAN)


def test_the_machine_of_warps_counts_and_finds_faults():
    counts = compiled(lambda: ts.microscope(KERNEL, kernel="add", grid=4, block=64, args=[256]))
    kernel = counts["kernels"][0]
    assert kernel["name"] == "add" and kernel["counts"]["global_store_sectors"] == 32
    bad = ts.microscope(KERNEL.replace("i < n", "true"), kernel="add", grid=4, block=64, args=[256], buffer=64)
    assert "bounds" in str(bad)
    with pytest.raises(ValueError, match="subtract"):
        ts.microscope(KERNEL, kernel="subtract")


def test_submissions_are_judged():
    marks = ts.grade("coalescing", ts.sketch(MEAN), secret="autumn")
    exercise = marks["submissions"][0]["exercises"][0]
    assert marks["lesson"] == "coalescing" and not exercise["passed"]
    assert marks["submissions"][0]["name"] == exercise["file"] == "brighter.cu"
    assert "sketch: brighter" in exercise["marks"][0]["found"]
    with pytest.raises(ValueError, match="nothing"):
        ts.grade("nothing", ts.sketch(MEAN))


# --- The open window


@pytest.fixture
def window(tmp_path, monkeypatch):
    """A socket that answers as windows do, and what it was asked for."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    folder = tmp_path / "threadscape"
    folder.mkdir(mode=0o700)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(folder / "window-1.sock"))
    listening.listen()
    asked, answers = [], ["opened"]

    def serve():
        while True:
            try:
                connection = listening.accept()[0]
            except OSError:
                return
            with connection:
                asked.append(connection.recv(5000))
                connection.sendall(answers[0].encode())

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield asked, answers
    listening.shutdown(socket.SHUT_RDWR)
    listening.close()
    thread.join()


def test_an_array_is_written_where_nobody_else_may_enter_and_the_window_is_asked(window):
    asked, answers = window
    image = picture()
    ts.show(image, "my picture")
    path = pathlib.Path(asked[0].rstrip(b"\0").decode())
    assert asked[0].endswith(b"/shown/my picture.npy\0")
    assert numpy.array_equal(numpy.load(path), image)
    assert path.stat().st_mode & 0o077 == 0 and path.parent.stat().st_mode & 0o077 == 0
    ts.show(image + 1, "my picture")
    assert numpy.array_equal(numpy.load(path), image + 1) and len(list(path.parent.iterdir())) == 1
    ts.show("a.png")
    assert asked[-1] == os.path.abspath("a.png").encode() + b"\0"
    answers[0] = "the window has too many files to open"
    with pytest.raises(RuntimeError, match="too many files"):
        ts.show(image)


@pytest.mark.parametrize("name", ["", "../a", ".hidden", "a/b", "a\0b", "a" * 65])
def test_a_name_cannot_leave_the_folder(window, name):
    with pytest.raises(ValueError, match="accepted are letters"):
        ts.show(picture(), name)
    assert window[0] == []


def test_without_a_window_a_sentence_says_so(tmp_path, monkeypatch):
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    with pytest.raises(RuntimeError, match="names no folder"):
        ts.show(picture())
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with pytest.raises(RuntimeError, match="no window is open"):
        ts.show(picture())
    ended = socket.socket(socket.AF_UNIX)
    ended.bind(str(tmp_path / "threadscape" / "window-2.sock"))
    ended.close()
    with pytest.raises(RuntimeError, match="no window is open"):
        ts.show(picture())
    (tmp_path / "threadscape").chmod(0o755)
    with pytest.raises(RuntimeError, match="others may enter"):
        ts.show(picture())


def test_numpy_and_the_rest_are_loaded_by_those_who_use_them():
    program = "import sys, threadscape; print([name for name in ('numpy', 'inspect', 'subprocess') if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert found.strip() == "[]"
