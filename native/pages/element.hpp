// What the walks of a page know of an element.
#pragma once

#include <cstdint>

namespace corpusprep {

// What an element means to segmentation.
struct Element {
  std::uint8_t tag = 0;   // index into kBlockTags if block-level, otherwise 0
  bool block = false;     // separates blocks
  bool heading = false;   // h1 … h6
  bool removed = false;   // its contents are no text of the page
  bool head = false;      // <head>: of its children, metadata is no text
  bool metadata = false;  // belongs right inside <head>
  bool line_break = false;
  bool link = false;
  bool select = false;
  bool empty = false;      // has a start tag alone
  std::uint32_t name = 0;  // a hash of its name
};

}  // namespace corpusprep
