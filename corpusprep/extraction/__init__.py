"""From a page to its classified blocks: the page stage, and the library."""
