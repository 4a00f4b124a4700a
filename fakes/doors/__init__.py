"""The doors of the engine: each connects a client library or a server to the engine."""
