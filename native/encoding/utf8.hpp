// What the bytes of a page show about UTF-8 and ISO 8859.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace corpusprep {

// Returns the share of valid UTF-8 among the characters outside ASCII; 1 if there are none. Each maximal part of an
// invalid character counts once (Unicode Standard, 3.9, U+FFFD substitution), as in the decoders of WHATWG and Python.
// A character that is cut by the end of the data is not counted if nothing before it is invalid; if there is no other
// character outside ASCII, the share is 0. A result below `least` may be inexact, but the share is then below `least`:
// most text in other encodings is recognised without counting all of it.
double utf8_share(std::string_view text, double least = 0) noexcept;

// Returns the text with each pair of encoded surrogates (six bytes: CESU-8, Unicode Technical Report 26) replaced by
// its character in UTF-8, and each encoded surrogate without a partner (three bytes) by the byte FF, which is one
// invalid character. Returns nothing if there are no encoded surrogates. The result is not longer than the text.
std::optional<std::string> pair_surrogates(std::string_view text);

// Counts the bytes beyond ASCII, and those among them that are control characters in ISO 8859 (0x80 to 0x9F).
struct HighBytes {
  std::size_t all = 0, controls = 0;
};
HighBytes count_high_bytes(std::string_view text) noexcept;

// Counts the control characters of ASCII that no text has: all but white space (0x09 to 0x0D) and ESC.
std::size_t count_controls(std::string_view text) noexcept;

// Text in UTF-8, and how many of its characters replace bytes that are not valid.
struct DecodedText {
  std::string text;
  std::size_t undecodable = 0;
};

// Returns a text of an encoding with one byte per character. `characters` are the code points, up to U+FFFF, of the
// bytes from 0x80 on; U+FFFD stands for bytes without a character. Bytes below are ASCII.
DecodedText decode_single_bytes(std::string_view text, const std::array<char16_t, 128>& characters);

}  // namespace corpusprep
