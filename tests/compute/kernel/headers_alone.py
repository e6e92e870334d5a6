#!/usr/bin/env python3
"""Compiles each header of kernels alone: by the host's compiler, and by NVRTC if its library is found.

usage: headers_alone.py COMPILER SOURCE_DIR [--self-check]

Headers of kernels are those in compute/kernel and compute/engines/patches, and the *_math.h of algorithms and engines. They
include no header of the standard library but through compute/kernel/std.h, so that NVRTC, which has none, compiles them.
--self-check expects a header that includes <string_view> to fail. NVRTC is looked for in the CUDA Toolkit and among the
packages of the Python index.
"""
import concurrent.futures
import ctypes
import glob
import os
import pathlib
import subprocess
import sys
import tempfile

NVRTC_PLACES = ["/usr/local/cuda/lib64", "/opt/cuda/lib64", *(f"{os.environ[name]}/lib64" for name in
                ("CUDA_HOME", "CUDA_PATH") if name in os.environ), *(f"{path}/nvidia/*/lib" for path in sys.path)]


def headers_of(root):
    """The headers of kernels, relative to the source folder."""
    patterns = ["compute/kernel/*.h", "compute/engines/patches/*.h", "compute/**/*_math.h"]
    return sorted({str(path.relative_to(root)) for pattern in patterns for path in root.glob(pattern)})


def compile_on_host(compiler, root, header):
    """What the host's compiler says of a source that includes only this header; "" for nothing."""
    command = [compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{root}", "-fsyntax-only", "-x", "c++", "-"]
    return subprocess.run(command, input=f'#include "{header}"\n', text=True, capture_output=True).stderr


def find_nvrtc():
    """NVRTC's library, or None."""
    for place in NVRTC_PLACES:
        for path in sorted(glob.glob(f"{place}/libnvrtc.so*")):
            try:
                return ctypes.CDLL(path)
            except OSError:
                continue
    return None


def compile_by_nvrtc(nvrtc, root, header):
    """What NVRTC says of a source that includes only this header; "" for nothing."""
    program = ctypes.c_void_p()
    source = f'#include "{header}"\n'.encode()
    if nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"alone.cu", 0, None, None) != 0:
        return "NVRTC makes no program"
    options = [b"--std=c++20", b"--gpu-architecture=compute_75", b"--fmad=false", b"-default-device", f"-I{root}".encode()]
    failed = nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options)) != 0
    size = ctypes.c_size_t()
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return log.value.decode() if failed else ""


def failures_of(compiler, nvrtc, root, headers):
    """What does not compile, a text for each header and compiler."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [f"{header}: {text}" for header, text in
                 zip(headers, pool.map(lambda header: compile_on_host(compiler, root, header), headers)) if text]
    if nvrtc:
        found += [f"{header} (NVRTC): {text}" for header in headers if (text := compile_by_nvrtc(nvrtc, root, header))]
    return found


def main():
    compiler, root = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    nvrtc = find_nvrtc()
    if "--self-check" in sys.argv:
        with tempfile.TemporaryDirectory() as folder:
            wrong = pathlib.Path(folder) / "wrong.h"
            wrong.write_text("#pragma once\n#include <string_view>\ninline int unused_parameter(int i) { return 0; }\n")
            found = failures_of(compiler, nvrtc, pathlib.Path(folder), ["wrong.h"])
        expected = 2 if nvrtc else 1
        print(f"{len(found)} of {expected} failures found")
        return 0 if len(found) == expected else 1
    headers = headers_of(root)
    failures = failures_of(compiler, nvrtc, root, headers)
    for failure in failures:
        print(failure)
    print(f"{len(headers)} headers compiled alone by {compiler}" + (" and by NVRTC" if nvrtc else "; NVRTC was not found"))
    return 1 if failures or len(headers) < 30 else 0


if __name__ == "__main__":
    sys.exit(main())
