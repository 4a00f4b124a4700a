"""The faked service as documents, made from the table of routes, the models and the rules.

`openapi` describes the operations of the service, `asyncapi` the events that it sends.
"""

from fakes.openapi.callbacks import asyncapi
from fakes.openapi.document import openapi

__all__ = ["asyncapi", "openapi"]
