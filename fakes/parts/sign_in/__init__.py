"""The authorization server: clients, authorization requests, logins, codes, challenges and assertions."""
