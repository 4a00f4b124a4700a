"""The exercises of the course, a module each."""
