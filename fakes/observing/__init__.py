"""Measure a service by its traffic: which rules of the fake it confirms, and which it refutes."""
