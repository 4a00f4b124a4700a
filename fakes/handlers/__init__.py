"""The operations of the service: each reads a call, uses the parts, and builds the response."""
