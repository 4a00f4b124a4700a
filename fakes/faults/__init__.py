"""Faults: what can go wrong on request, and where it is injected."""
