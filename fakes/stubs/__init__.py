"""Stubs: responses for calls that the service's description does not cover."""
