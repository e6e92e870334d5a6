"""A plugin of pytest that puts threadscape.ndimage into the place of scipy.ndimage for SciPy's own tests:

pytest -p scipy_substitution --pyargs scipy.ndimage.tests.test_filters

Tests that use none of the functions are left out, and those of scipy_not_covered.txt, which states the reasons.
"""

import inspect
import pathlib
import re

import scipy.ndimage
from scipy._lib import _array_api

from threadscape import ndimage

COVERED = [name for name in ndimage.__all__ if callable(getattr(ndimage, name))]

for _name in COVERED:
    _own, _replaced = getattr(ndimage, _name), getattr(scipy.ndimage, _name)
    # SciPy's tests look up for which kinds of arrays a function is meant.
    if _replaced in _array_api.xp_capabilities_table:
        _array_api.xp_capabilities_table[_own] = _array_api.xp_capabilities_table[_replaced]
    setattr(scipy.ndimage, _name, _own)


def not_covered():
    """The patterns of the names of tests that do not apply."""
    lines = pathlib.Path(__file__).with_name("scipy_not_covered.txt").read_text(encoding="utf-8").splitlines()
    return [line.split(" # ")[0].strip() for line in lines if line and not line.startswith("#")]


def pytest_collection_modifyitems(config, items):
    patterns = [re.compile(pattern) for pattern in not_covered()]
    functions = re.compile(r"\b(" + "|".join(COVERED) + r")\b")
    kept, left_out = [], []
    for item in items:
        uses = functions.search(inspect.getsource(item.function)) or functions.search(item.name)
        name = item.nodeid.split("::", 1)[1]
        kept.append(item) if uses and not any(p.search(name) for p in patterns) else left_out.append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept
