"""HTTP in the fake: URLs, messages, bodies, errors and pages."""
