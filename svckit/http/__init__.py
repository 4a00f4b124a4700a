"""HTTP as the session speaks it, without any HTTP library."""
