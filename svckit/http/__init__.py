"""HTTP requests and responses of a session, independent of any HTTP library."""
