"""What the installed program does for arrays: pictures of results, kernels of one's own, the machine of warps, marks of
exercises, and the open window. Arrays go through files of a temporary folder, so that a call takes about 0.2 s.
"""

import json
import os
import pathlib
import re
import shutil
import socket
import stat
import subprocess
import tempfile

import numpy

import threadscape
from threadscape.pictures import Picture

_TYPES = {"u8": "u1", "u16": "u2", "u32": "u4", "i32": "i4", "i64": "i8", "f32": "f4", "f64": "f8"}
_RUN_OPTIONS = ("backend", "variant", "threads", "device", "seed")


def program():
    """The path of the program: the variable THREADSCAPE_PROGRAM, or `threadscape` in one of the folders of PATH."""
    found = os.environ.get("THREADSCAPE_PROGRAM") or shutil.which("threadscape")
    if not found:
        raise RuntimeError(
            "the program threadscape, which this needs beside the package, is not in PATH: install it (scripts/package), "
            "or name it by the variable THREADSCAPE_PROGRAM"
        )
    return found


def _run(arguments, accepted=(0,)):
    """Runs the program and returns what it prints. Its exit codes become the exceptions of the package."""
    command = [program(), *map(str, arguments)]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    except OSError as error:
        raise RuntimeError(f"cannot start the program '{command[0]}': {error.strerror}") from error
    if done.returncode in accepted:
        return done.stdout
    said = (done.stderr.strip() or done.stdout.strip()).removeprefix("threadscape: ")
    if done.returncode < 0:
        said = f"the program was ended by signal {-done.returncode}. {said}"
    raise (ValueError if done.returncode in (1, 2) else RuntimeError)(said or "the program has failed")


def _text(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    return ",".join(str(number) for number in numpy.ravel(value).tolist())


def _settings(options):
    """Options of a run as arguments of the command line."""
    arguments = []
    for name, value in options.items():
        if name in _RUN_OPTIONS:
            arguments += [] if value is None else [f"--{name}", _text(value)]
        else:
            arguments += ["--set", f"{name}={_text(value)}"]
    return arguments


def _name_of(algorithm):
    return algorithm if isinstance(algorithm, str) else algorithm.__name__


def _write(folder, array, sequence=False):
    """A file of the array, which the program reads."""
    values = numpy.ascontiguousarray(array)
    path = pathlib.Path(folder) / ("input.raw" if sequence else "input.npy")
    if sequence:
        values.tofile(path)
    else:
        numpy.save(path, values, allow_pickle=False)
    return path


def render(algorithm, *arrays, size=None, scene=None, show=None, view=None, ui=False, theme=None, **options):
    """Draws the result of an algorithm (a function or its name) as the window does, and returns a PNG. It needs the
    program, and OpenGL by EGL.

    size: (width, height); that of the result, or 1920 x 1080, where it is None.
    scene, show, view: what `threadscape render --help` lists; view is a dictionary of settings.
    ui: the whole window in the place of the result. theme: "dark" or "light".
    Other arguments are those of the algorithm.
    """
    name = _name_of(algorithm)
    if name not in threadscape.algorithms:
        raise ValueError(f"algorithm '{name}': accepted are {', '.join(threadscape.algorithms)}")
    if len(arrays) > 1:
        raise ValueError(f"{name} takes one array, not {len(arrays)}")
    with tempfile.TemporaryDirectory(prefix="threadscape-") as folder:
        output = pathlib.Path(folder) / "picture.png"
        arguments = ["render", name]
        if arrays and arrays[0] is not None:
            arguments.append(_write(folder, arrays[0], threadscape.algorithms[name]["input"] == "sequence"))
        arguments += ["-o", output, "-q", *_settings(options)]
        for option, value in (("scene", scene), ("show", show), ("theme", theme)):
            arguments += [] if value is None else [f"--{option}", value]
        arguments += [] if size is None else ["--size", f"{size[0]}x{size[1]}"]
        for setting, value in (view or {}).items():
            arguments += ["--view", f"{setting}={_text(value)}"]
        _run(arguments + ["--ui"] * ui)
        return Picture(output.read_bytes())


# --- Kernels of one's own


def _is_text(source):
    """Whether a kernel is given by its text, and not by the name of its file."""
    return isinstance(source, str) and "\n" in source


class Sketch:
    """A kernel of one's own as a function of an array. `text` is its source."""

    def __init__(self, source, language="cu"):
        if _is_text(source):
            self.text, self.language = source.lstrip("\n"), language
        else:
            path = pathlib.Path(source)
            self.text, self.language = path.read_text(encoding="utf-8"), path.suffix[1:]
        if self.language not in ("cu", "cpp"):
            raise ValueError(f"the language of a sketch is 'cu' or 'cpp', not '{self.language}'")
        head = self.text.split("\n\n")[0]
        kinds = {key: re.search(rf"^//.*\b{key}:[ \t]*([^\n(]*?)[ \t]*(?:  |\(|$)", head, re.M) for key in ("reads", "makes")}
        if None in kinds.values():
            raise ValueError("the head of the sketch lacks 'reads: KIND' or 'makes: KIND', see docs/SKETCHES.md")
        self._reads, self._makes = (kinds[key].group(1).split() for key in ("reads", "makes"))
        name = re.search(r"^//.*\bsketch:[ \t]*(\w+)", head, re.M)
        self.name = name.group(1) if name else "sketch"

    def __repr__(self):
        return f"<sketch {self.name}: {' '.join(self._reads)} to {' '.join(self._makes)}>"

    def _file(self, folder):
        path = pathlib.Path(folder) / f"{self.name}.{self.language}"
        path.write_text(self.text, encoding="utf-8")
        return path

    def __call__(self, array=None, **options):
        """The result for an array. Other arguments are the parameters of the sketch, backend, threads and seed."""
        makes = self._makes[0]
        with tempfile.TemporaryDirectory(prefix="threadscape-") as folder:
            arguments = ["run", self._file(folder)]
            if array is not None:
                sequence = self._reads[0] == "sequence"
                dtype = _TYPES.get(self._reads[-1]) if sequence else None
                if sequence and numpy.asarray(array).dtype != numpy.dtype(dtype):
                    raise ValueError(f"{self.name} reads a sequence of {numpy.dtype(dtype)}")
                arguments.append(_write(folder, array, sequence))
            elif self._reads[0] != "nothing":
                raise ValueError(f"{self.name} takes an array")
            output = pathlib.Path(folder) / ("output.raw" if makes in ("sequence", "number") else "output.npy")
            arguments += _settings(options)
            if makes == "number":
                return numpy.dtype(_TYPES[self._makes[-1]]).type(_run(arguments + ["-q"]).split()[-1])
            _run(arguments + ["-q", "-o", output])
            if makes == "sequence":
                return numpy.fromfile(output, _TYPES[self._makes[-1]])
            return numpy.load(output, allow_pickle=False)

    def verify(self, check=None, seeds=3, **parameters):
        """Compares results with those of an algorithm or another sketch, by default the one that the head names.
        Returns the line that says so; raises ValueError with what differs."""
        with tempfile.TemporaryDirectory(prefix="threadscape-") as folder:
            arguments = ["verify", self._file(folder), "--seeds", seeds, *_settings(parameters)]
            if isinstance(check, Sketch):
                below = pathlib.Path(folder) / "check"
                below.mkdir()
                check = check._file(below)
            arguments += [] if check is None else ["--check", _name_of(check) if callable(check) else check]
            return _run(arguments).strip()


def sketch(source, language="cu"):
    """Makes a function of a kernel of one's own: its text or the name of its file. It is compiled when it is called, and
    runs on the GPU where there is one, else by the machine of warps. `%%sketch NAME` makes one of a notebook's cell
    after `%load_ext threadscape`."""
    return Sketch(source, language)


def sketch_magic(shell):
    """Adds `%%sketch NAME` to a notebook: the cell is a kernel, and NAME becomes a function."""

    def make(line, cell):
        name = line.strip() or "sketch"
        if not name.isidentifier():
            raise ValueError(f"%%sketch takes the name of a variable, not '{name}'")
        shell.user_ns[name] = sketch("\n" + cell)

    shell.register_magic_function(make, "cell", "sketch")


def microscope(target, **options):
    """Executes the kernels of an algorithm, of a file or of a text warp by warp, and returns what is counted as a
    dictionary. Options are those of `threadscape microscope`: kernel, grid, block, args, buffer, shared, gpu, size,
    lines, exact, races and others; other names are parameters of the algorithm. Faults of a kernel are in the result."""
    with tempfile.TemporaryDirectory(prefix="threadscape-") as folder:
        if _is_text(target):
            path = pathlib.Path(folder) / "kernels.cu"
            path.write_text(target, encoding="utf-8")
            target = path
        arguments = ["microscope", _name_of(target) if callable(target) else target, "--json"]
        for name, value in options.items():
            if name == "args":
                arguments += [part for number in value for part in ("--arg", number)]
            elif name in ("exact", "races", "uninitialised", "lines"):
                arguments += [f"--{name}"] * bool(value)
            elif name in ("kernel", "gpu", "buffer", "shared", "blocks", "instructions", "threads", "variant", "seed"):
                arguments += [f"--{name}", value]
            elif name in ("size", "grid", "block"):
                arguments += [f"--{name}", "x".join(map(str, numpy.ravel(value).tolist()))]
            else:
                arguments += ["--set", f"{name}={_text(value)}"]
        said = _run(arguments, accepted=(0, 1))
        if not said.strip():
            raise ValueError("the kernels could not be executed")
        return json.loads(said)


def grade(lesson, *submissions, exercise=None, secret=None):
    """Judges sketches (files, texts by ts.sketch, or folders of learners) for a lesson, and returns the marks as
    `threadscape grade --json` writes them."""
    with tempfile.TemporaryDirectory(prefix="threadscape-") as folder:
        paths = []
        for number, submission in enumerate(submissions):
            if isinstance(submission, Sketch):
                below = pathlib.Path(folder) / str(number)
                below.mkdir()
                submission = submission._file(below)
            paths.append(submission)
        output = pathlib.Path(folder) / "marks.json"
        arguments = ["grade", lesson, *paths, "--json", output, "-q"]
        arguments += [] if exercise is None else ["--exercise", exercise]
        arguments += [] if secret is None else ["--secret", secret]
        _run(arguments, accepted=(0, 1))
        marks = output.read_text(encoding="utf-8")
        for number in range(len(submissions)):  # Sketches have names, and no folder that is there afterwards.
            marks = marks.replace(f"{folder}/{number}/", "")
        return json.loads(marks)


# --- The open window


def _runtime_folder():
    """The folder of this user for sockets, which nobody else may enter."""
    base = os.environ.get("XDG_RUNTIME_DIR", "")
    if not os.path.isabs(base):
        raise RuntimeError("XDG_RUNTIME_DIR names no folder, in which windows wait for arrays")
    folder = pathlib.Path(base) / "threadscape"
    folder.mkdir(mode=0o700, exist_ok=True)
    facts = folder.lstat()
    if not stat.S_ISDIR(facts.st_mode) or facts.st_uid != os.getuid() or facts.st_mode & 0o077:
        raise RuntimeError(f"others may enter {folder}, so that no array is sent through it")
    return folder


def _send(path):
    """Asks the window that was opened last to open a file."""
    folder = _runtime_folder()
    places = sorted(folder.glob("window-*.sock"), key=lambda place: place.lstat().st_mtime_ns, reverse=True)
    for place in places:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as window:
            window.settimeout(5)
            try:
                window.connect(str(place))
            except (ConnectionRefusedError, FileNotFoundError):
                continue  # The window has ended.
            window.sendall(os.fsencode(path) + b"\0")
            answer = window.recv(4096).decode(errors="replace").strip()
        if answer != "opened":
            raise RuntimeError(answer or "the window has ended")
        return
    raise RuntimeError("no window is open: `threadscape` opens one")


def show(array, name="array"):
    """Shows an array, or the file of a name, in the open window of the program. An array replaces the one that was shown
    by the same name before."""
    if isinstance(array, (str, os.PathLike)):
        return _send(os.path.abspath(array))
    if not re.fullmatch(r"[\w .-]{1,64}", name) or name.startswith("."):
        raise ValueError(f"name '{name}': accepted are letters, digits, spaces, '_', '-' and '.', at most 64")
    folder = _runtime_folder() / "shown"
    folder.mkdir(mode=0o700, exist_ok=True)
    handle, part = tempfile.mkstemp(dir=folder, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            numpy.save(file, numpy.ascontiguousarray(array), allow_pickle=False)
        os.replace(part, folder / f"{name}.npy")
    except BaseException:
        os.unlink(part)
        raise
    _send(folder / f"{name}.npy")
