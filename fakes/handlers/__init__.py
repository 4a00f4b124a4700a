"""The operations of the service: each takes a call apart, asks the parts, and words the answer."""
