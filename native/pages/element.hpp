// Elements of a page.
#pragma once

#include <cstdint>

namespace corpusprep {

// What an element means for segmentation.
struct Element {
  std::uint8_t tag = 0;   // index into kBlockTags if block-level, otherwise 0
  bool block = false;     // separates blocks
  bool heading = false;   // h1 … h6
  bool removed = false;   // its content is no text of the page
  bool fragment = false;  // <template>: removed, unless it is the root of a shadow tree
  bool head = false;      // <head>: the metadata among its children is no text
  bool metadata = false;  // allowed as a child of <head>
  bool title = false;     // <title>
  bool fallback = false;  // browsers show what is in it only if they cannot show the element
  bool noscript = false;  // <noscript>: browsers show it only without scripts
  bool literal = false;   // its content is text, also what looks like a tag
  bool reading = false;   // <rt>, <rp>: how characters are read
  bool apart = false;     // a box in a line, which separates words
  bool line_break = false;
  bool link = false;
  bool select = false;
  bool empty = false;  // only has a start tag
  bool body = false;
  bool bold = false;
  bool code = false;
  bool control = false;      // a part of a form
  bool small_print = false;  // <small>, <time>
  std::uint32_t name = 0;    // a hash of its name
};

}  // namespace corpusprep
