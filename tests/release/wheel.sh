#!/usr/bin/env bash
# Tests that scripts/wheel makes a wheel that pip installs into an empty environment, where a picture is filtered with the
# libraries of the wheel.
#
#   wheel.sh SOURCE_FOLDER BUILD_FOLDER PYTHON NUMPY_FOLDER OUTPUT_FOLDER
set -euo pipefail
source=$1 build=$2 python=$3 numpy=$4 output=$5
"$python" -m pip --version > /dev/null 2>&1 || { echo "this Python has no pip"; exit 77; }
rm -rf "$output"
wheel=$("$source/scripts/wheel" --build "$build" --output "$output")
[[ $wheel == *-manylinux_2_*.whl ]] || { echo "the name says no manylinux: $wheel"; exit 1; }
# The tag states the versions of Python that load the module: all from 3.12 on, or the one that it was built for.
version=$("$python" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
[ -f "$build/python/threadscape/_core.abi3.so" ] && versions=cp312-abi3 || versions=$version-$version
[[ $wheel == *-$versions-manylinux_2_*.whl ]] || { echo "the module takes the tag $versions: $wheel"; exit 1; }
# Nothing but the wheel is installed: NumPy, which it needs, is the one of the tests.
"$python" -m pip --disable-pip-version-check install --quiet --no-index --no-deps --target "$output/environment" "$wheel"
env -i PATH=/usr/bin:/bin "$python" -I -S - "$output/environment" "$numpy" << 'PYTHON'
import sys

sys.path += sys.argv[1:]
import numpy
import threadscape as ts

assert ts.__file__.startswith(sys.argv[1]), ts.__file__
image = numpy.arange(300, dtype=numpy.uint8).reshape(15, 20)
assert ts.median(image, size=5)[7, 9] == numpy.median(image[5:10, 7:12])
assert (ts.ndimage.grey_erosion(image, size=(3, 3)) == ts.ndimage.minimum_filter(image, size=3)).all()
loaded = {line.split()[-1] for line in open("/proc/self/maps") if "libhwy" in line}
assert loaded and all(path.startswith(sys.argv[1]) for path in loaded), loaded
PYTHON
# What is installed is what RECORD lists.
"$python" - "$wheel" << 'PYTHON'
import base64, csv, hashlib, io, sys, zipfile

with zipfile.ZipFile(sys.argv[1]) as archive:
    name = next(name for name in archive.namelist() if name.endswith("/RECORD"))
    rows = {row[0]: row for row in csv.reader(io.StringIO(archive.read(name).decode()))}
    assert set(rows) == set(archive.namelist()), set(rows) ^ set(archive.namelist())
    for file, stated, size in (row for row in rows.values() if row[0] != name):
        content = archive.read(file)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        assert stated == f"sha256={digest}" and int(size) == len(content), file
PYTHON
