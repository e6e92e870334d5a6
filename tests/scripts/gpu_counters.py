"""Checks how scripts/gpu-counters joins the counts of the microscope with those of Nsight Compute, on recorded ones.

    gpu_counters.py SOURCE_FOLDER
"""
import pathlib
import subprocess
import sys

source = pathlib.Path(sys.argv[1])
data = source / "tests/data/counters"
result = subprocess.run([sys.executable, source / "scripts/gpu-counters", "--join", data / "reduction.json",
                         data / "reduction.csv"], stdout=subprocess.PIPE, text=True, check=True)
expected = (data / "reduction.txt").read_text()
if result.stdout != expected:
    sys.exit(f"gpu-counters printed\n{result.stdout}instead of\n{expected}")
