#!/usr/bin/env python3
"""Writes tests/data/yuv.json: frames in YUV 4:2:0 and their pixels in RGB by the program ffmpeg (libswscale), with accurate
rounding and without interpolation of U and V.

    scripts/reference/yuv.py tests/data/yuv.json

The values are those of a picture with limited colours, because libswscale's accurate conversion wraps around for values of Y,
U and V that are far from any colour. Width and height are even, because libswscale stretches the samples of U and V at odd
ones."""
import json
import pathlib
import random
import subprocess
import sys

WIDTH, HEIGHT = 38, 12
FLAGS = "neighbor+accurate_rnd+full_chroma_int+full_chroma_inp"


def converted(planes, pixel_format, full_range, matrix):
    levels = "full" if full_range else "limited"
    command = ["ffmpeg", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", pixel_format, "-s", f"{WIDTH}x{HEIGHT}",
               "-i", "pipe:0", "-sws_flags", FLAGS, "-vf",
               f"scale=in_range={levels}:out_range=full:in_color_matrix={matrix}:flags={FLAGS},format=rgb24",
               "-f", "rawvideo", "pipe:1"]
    return subprocess.run(command, input=planes, stdout=subprocess.PIPE, check=True).stdout


def main():
    numbers = random.Random(21)
    cases = []
    samples = WIDTH // 2 * (HEIGHT // 2)
    for full_range in (False, True):
        for matrix in ("bt601", "bt709"):
            y = bytes(numbers.randrange(64, 180) for _ in range(WIDTH * HEIGHT))
            u = bytes(numbers.randrange(100, 156) for _ in range(samples))
            v = bytes(numbers.randrange(100, 156) for _ in range(samples))
            cases.append({"width": WIDTH, "height": HEIGHT, "full_range": full_range, "bt709": matrix == "bt709",
                          "y": y.hex(), "u": u.hex(), "v": v.hex(),
                          "rgb": converted(y + u + v, "yuv420p", full_range, matrix).hex()})
    version = subprocess.run(["ffmpeg", "-version"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[2]
    text = json.dumps({"made by": f"ffmpeg {version}", "cases": cases}, indent=1)
    pathlib.Path(sys.argv[1]).write_text(text + "\n")


main()
