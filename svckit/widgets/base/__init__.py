"""Code shared by all widgets: scripts and styles, callbacks, background work, takeover."""
