#!/usr/bin/env bash
# Tests that scripts/sbom lists what the program is made of: the libraries that it is linked with, the packages whose
# headers are compiled in, and the wheels with their hashes.
#
#   sbom.sh PROGRAM SOURCE_FOLDER OUTPUT
set -euo pipefail
command -v dpkg-query > /dev/null || { echo "this system has no dpkg"; exit 77; }
"$2/scripts/sbom" "$1" "$3"
python3 - "$3" "$2/scripts/requirements.txt" << 'PYTHON'
import json, re, sys

bom = json.load(open(sys.argv[1]))
assert bom["bomFormat"] == "CycloneDX" and bom["specVersion"] == "1.5", bom.get("specVersion")
names = {component["name"]: component for component in bom["components"]}
for wanted in ("libc6", "libstdc++6", "libglm-dev", "nlohmann-json3-dev", "comma-deps-imgui"):
    assert wanted in names, f"{wanted} is not in {sorted(names)}"
assert any(name.startswith("libpng16") for name in names), sorted(names)
for component in bom["components"]:
    assert component["version"] and component["purl"].startswith("pkg:"), component
wheels = set(re.findall(r"^([\w.-]+)==", open(sys.argv[2]).read(), re.MULTILINE))
assert wheels, "scripts/requirements.txt names no packages"
for wheel in wheels:
    hashes = names[wheel]["hashes"]
    assert all(h["alg"] == "SHA-256" and len(h["content"]) == 64 for h in hashes) and hashes, wheel
references = [component["bom-ref"] for component in bom["components"]]
assert len(references) == len(set(references)), "two components have the same reference"
PYTHON
