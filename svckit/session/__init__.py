"""Sessions, with and without ``await``: what carries out operations and sends their requests."""
