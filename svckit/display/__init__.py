"""Output for people: cards, tables, diagrams, progress bars, and text without secrets."""
