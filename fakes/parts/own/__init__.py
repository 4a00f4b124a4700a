"""Data of your own that a domain begins with."""
