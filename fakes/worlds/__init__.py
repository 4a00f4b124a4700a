"""Worlds: many independent fakes behind one server, each under a path of its own."""
