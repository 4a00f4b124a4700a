"""Sessions, with and without ``await``, which run operations and send their requests."""
