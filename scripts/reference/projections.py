#!/usr/bin/env python3
"""Computes tests/data/astra.json: projections and reconstructions of the ASTRA toolbox, at geometries that are stated to
it ray by ray.

    python3 -m venv venv && venv/bin/pip install numpy==2.4.6 astra-toolbox==2.5.0
    venv/bin/python scripts/reference/projections.py > tests/data/astra.json

ASTRA computes planes on a CPU, so that the volumes are one voxel high. Images have the indices y, x; ASTRA has its first
row at the highest y. Views are at `angles` degrees: the source is at D (sin, cos), and u grows along (cos, -sin).
"""
import json

import astra
import numpy as np

random = np.random.default_rng(12)


def vectors(angles, parallel, source, detector, pixel, offset):
    rows = []
    for a in np.radians(angles):
        across, towards = np.array([np.cos(a), -np.sin(a)]), np.array([np.sin(a), np.cos(a)])
        first = -towards if parallel else source * towards
        rows.append([*first, *(offset * across - detector * towards), *(pixel * across)])
    return np.array(rows)


def setup(image, columns, angles, scan):
    height, width = image.shape
    volume = astra.create_vol_geom(height, width)
    kind = "parallel_vec" if scan["parallel"] else "fanflat_vec"
    rays = vectors(angles, scan["parallel"], scan["source"], scan["detector"], scan["pixel"], scan["offset"])
    return volume, astra.create_proj_geom(kind, columns, rays)


def project(image, columns, angles, method, **scan):
    volume, views = setup(image, columns, angles, scan)
    method = {"line": "line", "joseph": "linear"}[method] + ("" if scan["parallel"] else "_fanflat")
    projector = astra.create_projector(method, views, volume)
    _, values = astra.create_sino(np.flipud(image), projector)
    return values


cases = []
image = np.round(random.uniform(0, 4, (7, 9)), 2).astype(np.float32)
for name, scan in {"parallel": dict(parallel=True, source=1, detector=20, pixel=0.8, offset=0.0),
                   "fan": dict(parallel=False, source=40, detector=20, pixel=1.3, offset=0.0),
                   "displaced": dict(parallel=False, source=30, detector=25, pixel=1.1, offset=2.25)}.items():
    # ASTRA has no interpolating rays in fans.
    for method in ("line", "joseph") if scan["parallel"] else ("line",):
        angles = [-73.0 + 13 * i for i in range(12)]
        values = project(image, 17, angles, method, **scan)
        cases.append({"name": name, "method": method, "columns": 17, "first_angle": -73, "step": 13, "views": 12, **scan,
                      "values": [float(value) for value in values.ravel()]})

# A disc, not in the middle, from views over half a turn.
side, columns, count = 64, 95, 120
y, x = np.mgrid[0:side, 0:side] - (side - 1) / 2
disc = ((x - 6) ** 2 + (y + 4) ** 2 <= 20 ** 2).astype(np.float32)
angles = [-90 + 180 * i / count for i in range(count)]
scan = dict(parallel=True, source=1, detector=100, pixel=1.0, offset=0.0)
volume, views = setup(disc, columns, angles, scan)
projector = astra.create_projector("linear", views, volume)
# FBP wants angles instead of vectors; those of ASTRA turn the other way.
turned = astra.create_proj_geom("parallel", 1.0, columns, -np.radians(angles))
projector = astra.create_projector("linear", turned, volume)
_, sinogram = astra.create_sino(np.flipud(disc), projector)
mine = project(disc, columns, angles, "joseph", **scan)
assert np.abs(sinogram - mine).max() < 1e-2
result = astra.data2d.create("-vol", volume)
config = astra.astra_dict("FBP")
config.update({"ProjectorId": projector, "ProjectionDataId": astra.data2d.create("-sino", turned, sinogram),
               "ReconstructionDataId": result, "option": {"FilterType": "Ram-Lak"}})
astra.algorithm.run(astra.algorithm.create(config))
error = float(np.sqrt(np.mean((np.flipud(astra.data2d.get(result)) - disc) ** 2)))

print(json.dumps({"width": 9, "height": 7, "image": [round(float(v), 2) for v in image.ravel()], "cases": cases,
                  "disc": {"side": side, "columns": columns, "views": count, "error": error}}))
