"""The operations of the service, each written once: generators that yield calls and are sent replies.

A session runs them, with or without ``await``. Their arguments are those of the session's methods:
``svc.users.update("u-001", task=None)`` runs ``users.update("u-001", task=None)``.
"""
