"""A Jupyter toolkit for a workplace-chat service."""
