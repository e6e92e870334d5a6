#!/usr/bin/env python3
"""Computes tests/data/time.json: results of the algorithms on clips by SciPy, NumPy and OpenCV.

    python3 -m venv venv && venv/bin/pip install numpy==2.4.6 scipy==1.17.1 opencv-python-headless==5.0.0.93
    venv/bin/python scripts/reference/time.py > tests/data/time.json

Clips are arrays (frame, row, column, channel), as the bytes of their numbers in hexadecimal.
"""
import json

import cv2
import numpy as np
import scipy.ndimage

random = np.random.default_rng(2021)
WHITE = {"uint8": 255, "uint16": 65535, "float32": 1.0}
cases = []


def clip(dtype, frames, channels):
    """A background, noise, and a bright bar that moves by a pixel per frame."""
    height, width = 2, 5
    values = random.uniform(0.2, 0.6, (1, height, width, channels)) + random.normal(0, 0.04,
                                                                                   (frames, height, width, channels))
    for t in range(frames):
        values[t, :, t % width, :] += 0.4
    values = values.clip(0, 1)
    return values.astype(dtype) if dtype == "float32" else np.round(values * WHITE[dtype]).astype(dtype)


def add(algorithm, params, frames, result, tolerance=0):
    """`result` has no alpha: that of RGBA clips is the alpha of the newest frame."""
    result = np.array(result).reshape(frames.shape[1:]).astype(frames.dtype)
    if frames.shape[3] == 4:
        result[..., 3] = frames[-1, ..., 3]
    cases.append({"algorithm": algorithm, "params": params, "element": {"uint8": "u8", "uint16": "u16",
                                                                       "float32": "f32"}[str(frames.dtype)],
                  "channels": frames.shape[3], "frames": frames.shape[0], "height": frames.shape[1],
                  "width": frames.shape[2], "tolerance": tolerance, "input": frames.tobytes().hex(),
                  "output": result.tobytes().hex()})


def differs(a, b, threshold):
    """Whether pixels differ by more than the threshold, in grey levels of 255, in any channel but alpha."""
    levels = threshold * WHITE[str(a.dtype)] / 255
    distance = np.abs(a.astype(np.float64) - b.astype(np.float64))
    if a.shape[2] == 4:
        distance = distance[..., :3]
    return np.repeat((distance > levels).any(axis=2, keepdims=True), a.shape[2], axis=2)


FORMATS = [(dtype, channels) for dtype in WHITE for channels in (1, 4)]

for dtype, channels in FORMATS:
    for frames in (1, 3, 5, 9, 13, 15, 17, 63) if dtype == "uint8" and channels == 1 else (7, 11) if channels == 4 else (7, 11, 21):
        input_ = clip(dtype, frames, channels)
        add("temporal_median", f"frames={frames}", input_,
            scipy.ndimage.median_filter(input_, size=(frames, 1, 1, 1))[frames // 2])
    even = clip(dtype, 6, channels)
    add("temporal_median", "frames=9", even, np.quantile(even, 0.5, axis=0, method="lower"))
    longer = clip(dtype, 8, channels)
    add("temporal_median", "frames=3", longer, scipy.ndimage.median_filter(longer[-3:], size=(3, 1, 1, 1))[1])

for dtype, channels in FORMATS:
    for frames in (1, 2, 7, 8, 64):
        if frames == 64 and channels == 4:
            continue
        input_ = clip(dtype, frames, channels)
        if dtype == "float32":
            sum_ = np.zeros(input_.shape[1:], np.float32)
            for frame in input_:
                sum_ = sum_ + frame
            mean = sum_ / np.float32(frames)
        else:
            mean = np.floor(input_.astype(np.float64).mean(axis=0) + 0.5)
        add("temporal_mean", f"frames={frames}", input_, mean)

for dtype, channels in FORMATS:
    input_ = clip(dtype, 5, channels)
    for distance in (1, 3, 9):
        before, now = input_[max(0, 4 - distance)], input_[4]
        add("frame_difference", f"distance={distance} mode=absolute", input_, cv2.absdiff(now, before))
        middle = {"uint8": 128, "uint16": 128 * 257, "float32": np.float32(128 / 255)}[dtype]
        if dtype == "float32":
            signed = now - before + middle
        else:
            signed = np.clip(now.astype(np.int64) - before + middle, 0, WHITE[dtype])
        add("frame_difference", f"distance={distance} mode=signed", input_, signed)
        for threshold in (10, 40.5):
            add("frame_difference", f"distance={distance} mode=threshold threshold={threshold}", input_,
                differs(now, before, threshold) * WHITE[dtype])

for dtype, channels in FORMATS:
    for frames, steps in ((2, 128), (12, 26), (30, 1), (5, 256)):
        if frames == 30 and channels == 4:
            continue
        input_ = clip(dtype, frames, channels)
        background = input_[0].astype(np.float64)
        for frame in input_[1:]:
            background = cv2.accumulateWeighted(frame.astype(np.float64), background.copy(), steps / 256)
        # Every step rounds the fraction of 14 or 6 bits, and the result is rounded to an integer; floats round twice.
        tolerance = {"uint8": 0.5 + 0.01, "uint16": 0.5 + 0.5 * 30 / 64 + 0.01, "float32": 2e-6}[dtype]
        shown = background if dtype == "float32" else np.round(background)
        add("running_background", f"frames=64 alpha={steps / 256} show=background", input_, shown,
            tolerance + (0.5 if dtype != "float32" else 0))

for dtype, channels in FORMATS:
    for frames, duration, threshold in ((1, 5, 25), (8, 5, 25), (12, 11, 40), (12, 63, 25)):
        input_ = clip(dtype, frames, channels)
        history = np.zeros(input_.shape[1:])
        for t in range(1, frames):
            age = frames - 1 - t
            if age < duration:
                level = (duration - age) / duration if dtype == "float32" else (
                    (WHITE[dtype] * (duration - age) + duration // 2) // duration)
                history = np.where(differs(input_[t], input_[t - 1], threshold),
                                   np.float32(level) if dtype == "float32" else level, history)
        add("motion_history", f"duration={duration} threshold={threshold}", input_, history)

print('{"cases": [')
print(",\n".join(json.dumps(case, separators=(",", ":")) for case in cases))
print("]}")
