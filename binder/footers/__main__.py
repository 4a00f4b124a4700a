"""Run notebooks, all pages unless some are named, and write into them what they need and rest on."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from binder.footers import NOTEBOOKS, write_page

files = list(map(Path, sys.argv[1:])) or [
    file
    for file in sorted(NOTEBOOKS.rglob("*.ipynb"))
    if {"course", ".ipynb_checkpoints"}.isdisjoint(file.parts)
]
with ThreadPoolExecutor(2) as pool:
    for file, footer in zip(files, pool.map(write_page, files), strict=True):
        print(f"{file.name}: {footer}")
