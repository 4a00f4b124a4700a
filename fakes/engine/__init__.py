"""The engine: processes each request, from its head to the journal entry."""
