"""The domain of the fake, one module for each part of the service; nothing here knows HTTP."""
