"""Notebooks: what they show, and what a reader can rely on in them."""
