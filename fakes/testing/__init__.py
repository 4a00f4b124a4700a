"""The parts of the pytest plugin that load only when a test asks for them."""
