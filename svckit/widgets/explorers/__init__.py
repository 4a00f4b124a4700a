"""The explorers, and the forms and views that they consist of."""
