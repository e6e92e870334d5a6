#!/usr/bin/env python3
"""Computes tests/data/timing_statistics.json: tests, intervals and adjusted p-values of SciPy and statsmodels for small samples.

    python3 -m venv venv && venv/bin/pip install numpy==1.26.4 scipy==1.14.1 statsmodels==0.14.1
    venv/bin/python scripts/reference/timing_statistics.py > tests/data/timing_statistics.json

The p-values come from scipy.stats.mannwhitneyu, exact or asymptotic with the correction for continuity. The interval of
the ratio is found by asking mannwhitneyu for every factor between two neighbouring quotients if it rejects `b` divided
by this factor against `a`. The interval of the median comes from scipy.stats.quantile_test, the adjusted p-values from
statsmodels.stats.multitest.multipletests, and the lines from scipy.optimize.curve_fit.
"""
import json

import numpy as np
import scipy
from scipy import optimize, stats
from statsmodels.stats.multitest import multipletests


def interval_of_ratio(a, b, method, confidence):
    quotients = np.sort((b[:, None] / a[None, :]).ravel())
    distinct = np.unique(quotients)
    factors = np.sqrt(distinct[:-1] * distinct[1:])
    kept = [stats.mannwhitneyu(b / factor, a, method=method).pvalue > 1 - confidence for factor in factors]
    first, last = kept.index(True), len(kept) - 1 - kept[::-1].index(True)
    # If even the factor below all quotients is not rejected, the interval has no ends.
    outside = stats.mannwhitneyu(b / (distinct[0] / 2), a, method=method).pvalue
    bounded = outside <= 1 - confidence
    return [distinct[first], distinct[last + 1]] if bounded else None


def comparisons(random):
    cases = []
    for n, m, factor, spread, digits in [(15, 15, 1.0, 0.05, 9), (15, 12, 1.03, 0.02, 9), (3, 3, 2.0, 0.01, 9),
                                         (4, 4, 2.0, 0.01, 9), (30, 30, 0.97, 0.05, 9), (40, 25, 1.01, 0.03, 9),
                                         (60, 80, 1.0, 0.1, 9), (20, 20, 1.02, 0.03, 2), (50, 50, 1.1, 0.05, 2),
                                         (5, 28, 1.2, 0.2, 9)]:
        a = np.round(np.exp(random.normal(0.0, spread, n)) * 3.0, digits)
        b = np.round(np.exp(random.normal(0.0, spread, m)) * 3.0 * factor, digits)
        ties = len(np.unique(np.concatenate([a, b]))) < n + m
        method = "exact" if not ties and n <= 30 and m <= 30 else "asymptotic"
        case = {"a": a.tolist(), "b": b.tolist(), "p": stats.mannwhitneyu(a, b, method=method).pvalue,
                "ratio": float(np.median((b[:, None] / a[None, :]).ravel())), "interval_95": None, "interval_99": None}
        if not ties:
            case["interval_95"] = interval_of_ratio(a, b, method, 0.95)
            case["interval_99"] = interval_of_ratio(a, b, method, 0.99)
        cases.append(case)
    return cases


def medians(random):
    cases = []
    for n in [6, 7, 15, 16, 41, 100]:
        x = np.round(random.lognormal(0.0, 0.3, n), 6)
        interval = stats.quantile_test(x, p=0.5).confidence_interval(0.95)
        lower, upper = np.quantile(x, [0.25, 0.75])
        reach = 1.5 * (upper - lower)
        cases.append({"samples": x.tolist(), "median": float(np.median(x)), "low": float(interval.low),
                      "high": float(interval.high), "outliers_high": int((x > upper + reach).sum()),
                      "outliers_low": int((x < lower - reach).sum())})
    return cases


def amdahl(random):
    """Times on p threads, and the fit of t1 * (s + (1 - s) / p) with equal relative errors, as curve_fit does it."""
    cases = []
    for serial, noise in [(0.05, 0.01), (0.3, 0.02), (0.01, 0.005)]:
        threads = np.array([1, 2, 3, 4, 6, 8, 12, 16], dtype=float)
        times = 40.0 * (serial + (1 - serial) / threads) * np.exp(random.normal(0.0, noise, len(threads)))

        def model(p, a, b):
            return a + b / p

        found, covariance = optimize.curve_fit(model, threads, times, sigma=times)
        a, b = found
        gradient = np.array([b, -a]) / (a + b) ** 2
        cases.append({"threads": threads.tolist(), "times": times.tolist(), "serial_fraction": a / (a + b),
                      "standard_error": float(np.sqrt(gradient @ covariance @ gradient)),
                      "t_quantile": float(stats.t.ppf(0.975, len(threads) - 2))})
    return cases


def main():
    random = np.random.default_rng(20261123)
    p_values = [0.001, 0.04, 0.03, 0.005, 0.9, 0.04, 0.2]
    data = {"made by": "scripts/reference/timing_statistics.py, scipy %s, numpy %s" % (scipy.__version__, np.__version__),
            "comparisons": comparisons(random), "medians": medians(random), "amdahl": amdahl(random),
            "holm": {"p": p_values, "adjusted": multipletests(p_values, method="holm")[1].tolist()},
            "normal": [[p, float(stats.norm.ppf(p))] for p in [1e-9, 0.001, 0.025, 0.5, 0.9, 0.975, 0.9999]],
            "student": [[d, float(stats.t.ppf(0.975, d))] for d in [1, 2, 3, 4, 6, 10, 30, 200]]}
    print(json.dumps(data).replace("}, {", "},\n {"))


if __name__ == "__main__":
    main()
