"""Notebooks: opening, running, checking and exporting them."""
