"""The exercises of the course, a module each; their words are beside the notebooks."""
