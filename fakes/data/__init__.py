"""The data that a domain begins with: the sample users, and data of your own."""
