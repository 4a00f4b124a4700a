"""What all widgets share: their scripts and styles, callbacks, background work, and takeover."""
