"""How a person signs in: in the browser of this machine, or in any browser, pasting the address that comes of it."""

from svckit.sign_in.browser import BrowserVisitor
from svckit.sign_in.paste import PasteVisitor
from svckit.sign_in.prompt import ask, say
from svckit.sign_in.ways import Way, choose, visitor

__all__ = ["BrowserVisitor", "PasteVisitor", "Way", "ask", "choose", "say", "visitor"]
