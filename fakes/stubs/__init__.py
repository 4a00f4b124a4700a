"""Stubs: responses of the user's own to calls that the service's description does not have."""
