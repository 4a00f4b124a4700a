"""The engine: carries out one call, from its head to the journal."""
