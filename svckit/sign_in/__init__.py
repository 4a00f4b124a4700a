"""Sign-in of a person: in this machine's browser, or in any browser, by pasting the final URL."""
