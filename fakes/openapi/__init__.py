"""The faked service as documents, made from the table of routes, the models and the rules.

`openapi` describes the operations of the service and the events that it sends, and `admin_openapi` the admin calls,
which are not part of the service.
"""

from fakes.openapi.admin import admin_openapi
from fakes.openapi.document import openapi

__all__ = ["admin_openapi", "openapi"]
