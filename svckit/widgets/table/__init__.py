"""The paged table."""
