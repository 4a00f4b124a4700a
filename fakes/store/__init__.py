"""Persistence of the state of a served fake on disk."""
