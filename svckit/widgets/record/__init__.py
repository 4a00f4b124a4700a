"""The view of one record."""
