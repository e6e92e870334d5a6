#!/usr/bin/env python3
"""Writes tests/data/compare.json: RMSE, maximum, PSNR and SSIM of scikit-image for data that are made by formulas, which
tests/compute/run/similarity_test.cpp repeats.

    python3 -m venv venv && venv/bin/pip install numpy==1.26.4 scikit-image==0.22.0
    venv/bin/python scripts/reference/compare.py
"""
import json
import pathlib

import numpy as np
from skimage.metrics import mean_squared_error, peak_signal_noise_ratio, structural_similarity


def pair(shape, peak):
    """Two arrays (depth, height, width, channels) of whole numbers, up to `peak`."""
    z, y, x, c = np.mgrid[0:shape[0], 0:shape[1], 0:shape[2], 0:shape[3]]
    a = (x * 37 + y * 91 + x * y + z * 53 + c * 29) % 256
    b = (a * 3 + (x * 13 + y * 7 + z * 5 + c * 11) % 64 * 4) // 4
    return a * (peak // 255), b * (peak // 255)


CASES = {
    # name: (depth, height, width, channels), largest value, divisor of the values, type, range of the values or 0
    "grey": ((1, 48, 64, 1), 255, 1, np.uint8, 255),
    "rgb": ((1, 33, 41, 3), 255, 1, np.uint8, 255),
    "deep": ((1, 30, 37, 1), 65535, 1, np.uint16, 65535),
    "float": ((1, 21, 26, 1), 255, 256, np.float32, 1),
    "volume": ((14, 17, 20, 1), 255, 64, np.float32, 0),
    "sequence": ((1, 1, 300, 1), 255, 1, np.int32, 0),
}


def main():
    results = {}
    for name, (shape, peak, divisor, kind, data_range) in CASES.items():
        a, b = ((v / divisor).astype(kind) if divisor > 1 else v.astype(kind) for v in pair(shape, peak))
        a, b = a.astype(np.float64), b.astype(np.float64)
        data_range = data_range or float(a.max() - a.min())
        axes = tuple(i for i in range(3) if shape[i] == 1)
        # These arguments give the SSIM of Wang et al. 2004. The default truncate = 3.5 makes windows of 11 values.
        ssim = np.mean([
            structural_similarity(a[..., c].squeeze(axes), b[..., c].squeeze(axes), gaussian_weights=True, sigma=1.5,
                                  use_sample_covariance=False, data_range=data_range) for c in range(shape[3])
        ])
        results[name] = {
            "rmse": float(np.sqrt(mean_squared_error(a, b))),
            "maximum": float(np.abs(a - b).max()),
            "different": int((a != b).sum()),
            "psnr_db": float(peak_signal_noise_ratio(a, b, data_range=data_range)),
            "ssim": float(ssim),
        }
    path = pathlib.Path(__file__).parents[2] / "tests/data/compare.json"
    path.write_text(json.dumps({"library": "scikit-image 0.22.0", "cases": results}, indent=1) + "\n")
    print(path)


if __name__ == "__main__":
    main()
