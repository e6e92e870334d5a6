#!/usr/bin/env python3
"""Prints the values that tests/render/passes/statistics_pass_test.cpp expects: results of scikit-image for two small
pictures that are made by a formula.

    python3 -m venv venv && venv/bin/pip install numpy==1.26.4 scikit-image==0.22.0
    venv/bin/python scripts/reference/similarity.py
"""
import numpy as np
from skimage.metrics import peak_signal_noise_ratio, structural_similarity


def main():
    y, x = np.mgrid[0:48, 0:64]
    base = (x * 37 + y * 91 + x * y) % 256
    a = base.astype(np.uint8)
    b = ((base * 3 + (x * 13 + y * 7) % 64 * 4) // 4).astype(np.uint8)
    # These arguments give the SSIM of Wang et al. 2004. The default truncate = 3.5 makes the window 11 x 11.
    ssim = structural_similarity(a, b, gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=255)
    print(f"SSIM {ssim:.6f}")
    print(f"PSNR {peak_signal_noise_ratio(a, b, data_range=255):.4f} dB")


if __name__ == "__main__":
    main()
