"""Sign-in of a person: in this machine's browser, or in any browser, by pasting the final URL."""

from svckit.sign_in.browser import BrowserVisitor
from svckit.sign_in.paste import PasteVisitor
from svckit.sign_in.prompt import ask, is_somebody_there, say
from svckit.sign_in.ways import Way, choose, make_visitor

__all__ = [
    "BrowserVisitor",
    "PasteVisitor",
    "Way",
    "ask",
    "choose",
    "is_somebody_there",
    "make_visitor",
    "say",
]
