"""Write the reference pages."""

from binder.reference import FOLDER, PAGES

for name, write in PAGES.items():
    (FOLDER / name).write_text(write(), encoding="utf-8", newline="\n")
    print(f"notebooks/reference/{name}")
