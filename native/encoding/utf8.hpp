// What the bytes of a page show about UTF-8 and ISO 8859.
#pragma once

#include <cstddef>
#include <string_view>

namespace corpusprep {

// Share of the characters outside ASCII that are valid UTF-8; 1 where there is none. What is not valid counts once a
// maximal part of a character (Unicode Standard, 3.9, U+FFFD substitution), as in WHATWG's and Python's decoders.
// A character that only the end of the data cuts off, with nothing wrong before it, is left out; if it is all that
// is outside ASCII, the share is 0. A share under `least` need not be the right one, but is under `least`: other
// encodings' text is mostly told without counting all.
double utf8_share(std::string_view data, double least = 0) noexcept;

// How many bytes are beyond ASCII, and how many of these are control characters in ISO 8859 (0x80 to 0x9F).
struct HighBytes {
  std::size_t all = 0, controls = 0;
};
HighBytes count_high_bytes(std::string_view data) noexcept;

}  // namespace corpusprep
