"""Where the state of a served fake is kept on disk."""
