"""The fake's domain: one module for each part of the service, none of which knows HTTP."""
