"""Bounds on the work that the markup of a page can cause (native/pages/markup.hpp)."""

#: The most attributes of a tag that plain_markup keeps.
MOST_ATTRIBUTES: int
#: The most elements around a text that plain_markup keeps.
DEEPEST: int

def has_moves(page: bytes) -> bool:
    """Returns whether a page has `$R`: calls that put parts of it elsewhere begin so. Linear."""

def costly_markup(page: bytes) -> bool:
    """Returns whether parsing a page (UTF-8) may take far longer than other pages of its size. Linear."""

def plain_markup(page: bytes) -> bytes:
    """Returns a page (UTF-8) with the same text and elements, whose parse is linear. Linear.

    Left out are attributes after the first MOST_ATTRIBUTES of a tag, end tags that end nothing, comments, and the
    contents of scripts and styles. Elements deeper than DEEPEST become siblings.
    """

def joined_markup(page: bytes) -> bytes:
    """Returns a page (UTF-8) without the end tags of <body> and <html>: the parser makes one tree of it. Linear."""

def lean_markup(page: bytes) -> bytes:
    """Returns joined markup without what no kernel reads: smaller, with the same tree otherwise. Linear.

    Left out are attributes that say nothing about text or page, comments, and the contents of styles and of scripts
    without data.
    """
