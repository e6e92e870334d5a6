"""Writes the type stubs of the package from the registry: python -m threadscape.stubs FILE."""

import pathlib
import sys

import threadscape

_HEAD = '''"""Made from the registry by threadscape/stubs.py."""

from os import PathLike
from typing import Any, Callable, Literal, Sequence

import numpy
from numpy.typing import ArrayLike, NDArray

from . import dask as dask, ndimage as ndimage
from .pictures import picture as picture
from .program import (
    grade as grade,
    microscope as microscope,
    render as render,
    show as show,
    sketch as sketch,
)
from .sliders import widget as widget

algorithms: dict[str, dict[str, Any]]
_Algorithm = str | Callable[..., Any]

def devices() -> list[str]: ...
def verify(algorithm: _Algorithm, backends: str | Sequence[str] = ..., every: int = ...) -> list[dict[str, Any]]: ...
def compare(a: ArrayLike, b: ArrayLike) -> dict[str, Any]: ...
def bench(
    algorithm: _Algorithm, *arrays: ArrayLike, runs: int = ..., backends: str | Sequence[str] = ..., **options: Any
) -> list[dict[str, Any]]: ...
'''

_TYPES = {"int": "int", "float": "float", "bool": "bool", "path": "str | PathLike[str]", "text": "str", "steps": "str"}


def _literal(values):
    return "Literal[" + ", ".join(f'"{value}"' for value in values) + "]"


def _stub(row):
    arguments = []
    if row["input"] != "none":
        optional = row["makes_input"]
        arguments += [f"{threadscape._input_name(row)}: ArrayLike" + (" | None = None" if optional else ""), "/"]
    arguments.append("*")
    for parameter in row["parameters"]:
        kind = parameter["type"]
        annotation = _literal(parameter["choices"]) if kind == "choice" else _TYPES.get(kind, "ArrayLike")
        default = "..." if kind == "grid" else repr(parameter["default"])
        arguments.append(f"{parameter['name']}: {annotation} = {default}")
    variants = dict.fromkeys(name for names in row["variants"].values() for name in names)
    arguments += [
        f'backend: {_literal(row["variants"])} = "openmp"',
        f"variant: {_literal(variants)} | None = None",
        "threads: int | None = None",
        "device: int | None = None",
        "devices: Sequence[int] | None = None",
        "stream: Any = None",
        "seed: int = 0",
        "out: Any = None",
    ]
    result = "numpy.generic" if row["output"] == "scalar" else "NDArray[Any]"
    return f"def {row['name']}(\n" + "".join(f"    {argument},\n" for argument in arguments) + f") -> {result}: ...\n"


def main(path):
    text = _HEAD + "".join(_stub(row) for row in threadscape.algorithms.values())
    pathlib.Path(path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
