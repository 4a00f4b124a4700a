"""Faults that can be injected on request."""
