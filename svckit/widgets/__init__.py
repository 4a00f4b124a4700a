"""Explorers for notebooks: live, and true as static HTML and as text too."""
