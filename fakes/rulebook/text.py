"""Rules of text in requests: how its length is counted, and whether its form is kept."""

from fakes.rulebook.sections import RESOURCES

LENGTH = RESOURCES.assumed(
    "text.length",
    "The most characters that a text may have are counted in code points of Unicode; the alternatives count UTF-16 "
    "code units, of which an emoji has two or more, characters as readers see them (graphemes), or bytes of UTF-8, of "
    "which a kana has three.",
    ("code-points", "utf-16", "graphemes", "utf-8"),
)
NORMALIZATION = RESOURCES.assumed(
    "text.normalization",
    "Text is stored as sent, and what is written composed (NFC) and decomposed (NFD) differs, such as two external "
    "keys or file names that look the same; in the alternative, the text of requests is composed first.",
    ("as-sent", "composed"),
)
