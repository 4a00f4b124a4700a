"""The workplace-chat service, whole, in process."""
