// Bounds on the work that the markup of one page can cause in the parser.
//
// libxml2's HTML parser takes time in proportion to the bytes of a page, with two exceptions. It compares each
// attribute of a tag with all before it. And for an end tag it searches the open elements, of which there may be
// thousands. A page that could use this is rewritten, with few attributes per tag and with end tags that are found
// at once.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace corpusprep {

// The most attributes of a tag that are kept: others make no difference to the text. Real pages have up to some dozens.
inline constexpr std::size_t kMostAttributes = 256;
// The most elements around a text. libxml2 refuses more than 2,048. Elements below become siblings, as in browsers,
// which stop at 512.
inline constexpr std::size_t kDeepest = 2000;
// From this size on (bytes), libxml2 parses with other limits if it is not told that a page may be huge.
inline constexpr std::size_t kHuge = 10'000'000;

// Returns whether a page has "$R": calls that put parts of it elsewhere begin so (corpusprep/pages/streamed.py). Three
// times as fast as a search for both bytes at once.
bool has_moves(std::string_view page) noexcept;

// Returns whether parsing a page (UTF-8) may take far longer than other pages of its size, or may meet a limit of size
// of the parser. Never overlooks such a page: every "<" before a letter counts as the beginning of a tag, although it
// may be in a comment or a script. So it does not depend on how a version of the parser tells these apart. Linear.
bool costly_markup(std::string_view page) noexcept;

// Returns a page (UTF-8) with the same text and, up to kDeepest, the same elements, whose parse is linear. Left out are
// attributes after the first kMostAttributes of a tag, end tags that end nothing, comments, and the contents of scripts
// and styles. Every version of the parser reads the result in the same way: markup that versions read in different ways
// is read as by HTML's standard and libxml2 2.14, and written plainly. Linear.
std::string plain_markup(std::string_view page);

// Writes a page (UTF-8) without the end tags of <body> and <html>. They end nothing in browsers: what follows them is
// put where it would be without them. The parser would begin another tree. Left out is also the "/" of start tags of
// <html>, <head> and <body> that end in "/>", for the same reason. `out` has as many bytes as the page. Returns the
// bytes that were written. Linear.
std::size_t joined_markup(std::string_view page, char* out);

// Writes a page without these tags and without what is not read: most attributes, comments, and the contents of styles
// and of scripts without data (JSON). Every version of the parser makes the same tree of it as of joined markup but for
// these. `out` has as many bytes as the page. Returns the bytes that were written. Linear.
std::size_t lean_markup(std::string_view page, char* out);

}  // namespace corpusprep
