"""Checks how scripts/gpu-counters prints the counts of the microscope beside those of a GPU.

    gpu_counters.py SOURCE_FOLDER
"""
import pathlib
import subprocess
import sys

source = pathlib.Path(sys.argv[1])
data = source / "tests/data/counters"
result = subprocess.run([sys.executable, source / "scripts/gpu-counters", "--report", data / "reduction.json"],
                        stdout=subprocess.PIPE, text=True, check=True)
expected = (data / "reduction.txt").read_text()
if result.stdout != expected:
    sys.exit(f"gpu-counters printed\n{result.stdout}instead of\n{expected}")
