"""The doors of the engine: each turns one client library's requests into exchanges."""
