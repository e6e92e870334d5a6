#!/usr/bin/env python3
"""Takes the CC0 and public-domain photos out of the scikit-image package and writes their credits beside them.

    samples.py WHEEL FOLDER

Origin and licence of each are stated in skimage/data/_fetchers.py of that package; photos without a statement are left out.
"""
import pathlib
import sys
import zipfile

CC0 = "CC0 1.0"
PUBLIC_DOMAIN = "public domain"

# file, what it shows, who made it, licence
PHOTOS = [
    ("astronaut.png", "Astronaut Eileen Collins", "NASA, Great Images in NASA", PUBLIC_DOMAIN),
    ("brick.png", "Brick wall", "CC0Textures, Bricks25; transformed by the scikit-image authors", CC0),
    ("camera.png", "Camera and photographer", "Lav Varshney", CC0),
    ("cell.png", "Cell in saline, quantitative phase image", "Paul Müller et al., Optics Express 26(8), 2018", CC0),
    ("chelsea.png", "Chelsea the cat", "Stefan van der Walt", CC0),
    ("clock_motion.png", "Wall clock, blurred by motion", "Stefan van der Walt", PUBLIC_DOMAIN),
    ("coffee.png", "Coffee cup, courtesy of Pikolo Espresso Bar", "Rachel Michetti", CC0),
    ("grass.png", "Grass", "linolafett, DeviantArt; cropped by the scikit-image authors", CC0),
    ("gravel.png", "Gravel", "CC0Textures, Gravel04; cropped by the scikit-image authors", CC0),
    ("hubble_deep_field.jpg", "Hubble eXtreme Deep Field", "NASA, HubbleSite", PUBLIC_DOMAIN),
    ("retina.jpg", "Human retina", "Mikael Häggström, WikiJournal of Medicine 1(2), 2014", CC0),
    ("rocket.jpg", "Launch of DSCOVR on Falcon 9", "SpaceX Photos", PUBLIC_DOMAIN),
]


def main() -> int:
    wheel, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    package = "-".join(wheel.name.split("-")[:2]).replace("_", "-", 1)
    credits = [
        "# Sample photos",
        "",
        f"Taken unchanged from the package {package}, which states their origin and licence.",
        "",
        "| file | shows | by | licence |",
        "| --- | --- | --- | --- |",
    ]
    with zipfile.ZipFile(wheel) as archive:
        for name, shows, by, licence in PHOTOS:
            (folder / name).write_bytes(archive.read(f"skimage/data/{name}"))
            credits.append(f"| {name} | {shows} | {by} | {licence} |")
    # Written last: its presence says that the folder is complete.
    (folder / "CREDITS.md").write_text("\n".join(credits) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
