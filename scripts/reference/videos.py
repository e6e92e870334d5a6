#!/usr/bin/env python3
"""Makes the small videos in tests/data/videos with the program ffmpeg: numbered frames, whose number is a bar code.

    scripts/reference/videos.py tests/data/videos

A frame of W x H pixels has the bar code in its lowest eighth: 28 cells over the full width, of which the first is white,
the second black, then 24 bits of the number from the highest, and the number of ones modulo 4 as two bits. Above it are a
grey gradient and a square that moves."""
import pathlib
import subprocess
import sys
import tempfile

out = pathlib.Path(sys.argv[1])
out.mkdir(parents=True, exist_ok=True)


def frame(index, width, height):
    ones = bin(index).count("1")
    cells = [1, 0] + [index >> bit & 1 for bit in range(23, -1, -1)] + [ones >> 1 & 1, ones & 1]
    rows = bytearray()
    for y in range(height):
        for x in range(width):
            if y >= height - height // 8 and width >= 28 and height >= 8:
                value = 255 * cells[x * 28 // width]
                rows += bytes((value, value, value))
            elif 8 <= y < 24 and (2 * index) % width <= x < (2 * index) % width + 16:
                rows += bytes((220, 40, 60))
            else:
                rows += bytes((x, 2 * y, 128))
    return bytes(rows)


def make(name, frames, width, height, *options, first=0, sound=False):
    raw = b"".join(frame(first + index, width, height) for index in range(frames))
    command = ["ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}"]
    command += ["-framerate", "30", "-i", "pipe:0"]
    if sound:
        command += ["-f", "lavfi", "-i", f"sine=frequency=440:duration={frames / 30}"]
    command += [*options, str(out / name)]
    subprocess.run(command, input=raw, check=True)


h264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "12", "-bf", "2", "-crf", "20"]
make("h264.mp4", 40, 112, 64, *h264, "-c:a", "aac", "-b:a", "32k", sound=True)
make("open_gop.mkv", 40, 112, 64, *h264, "-x264-params", "open-gop=1:keyint=10:min-keyint=10:scenecut=0")
make("mpeg2.ts", 30, 112, 64, "-c:v", "mpeg2video", "-g", "10", "-bf", "2", "-q:v", "3")
make("vp9.webm", 30, 112, 64, "-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p", "-g", "10", "-crf", "20", "-b:v", "0")
make("motion_jpeg.avi", 10, 112, 64, "-c:v", "mjpeg", "-q:v", "3")
# Times in a GIF are multiples of 1/100 s, so that 30 frames a second are not exact; the frames are kept as they are.
make("palette.gif", 12, 112, 64, "-fps_mode", "passthrough")
make("animated.webp", 12, 112, 64, "-c:v", "libwebp_anim", "-lossless", "1", "-loop", "0")
make("animated.apng", 12, 112, 64, "-f", "apng", "-plays", "0", "-pred", "mixed")
make("lossless.mkv", 6, 112, 64, "-c:v", "ffv1", "-pix_fmt", "bgr0")
make("one_pixel.mkv", 3, 1, 1, "-c:v", "ffv1", "-pix_fmt", "bgr0")
with tempfile.TemporaryDirectory() as folder:
    place = out
    out = pathlib.Path(folder)
    make("upright.mp4", 4, 112, 64, *h264)
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-i", f"{folder}/upright.mp4", "-c", "copy",
                    "-metadata:s:v", "rotate=90", str(place / "rotated.mp4")], check=True)
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-i", str(place / "one_pixel.mkv"), "-map", "0:v", "-map", "0:v",
                    "-c", "copy", str(place / "two_tracks.mkv")], check=True)
    # Two sizes in one stream: the packets of two elementary streams, one behind the other.
    make("a.h264", 10, 112, 64, *h264, "-bf", "0")
    make("b.h264", 10, 64, 112, *h264, "-bf", "0", first=10)
    (place / "two_sizes.h264").write_bytes((out / "a.h264").read_bytes() + (out / "b.h264").read_bytes())
