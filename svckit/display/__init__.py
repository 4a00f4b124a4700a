"""How things show themselves: cards, tables, diagrams, progress, and text in which nothing is secret."""
