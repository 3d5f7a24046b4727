// Searches in the bytes of markup.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

namespace corpusprep {

// Returns the position of the first `byte` at or after `from`; the size of the text if there is none.
inline std::size_t find_byte(std::string_view text, char byte, std::size_t from) noexcept {
  if (from >= text.size()) return text.size();
  const void* found = std::memchr(text.data() + from, byte, text.size() - from);
  return found ? static_cast<std::size_t>(static_cast<const char*>(found) - text.data()) : text.size();
}

// White space in markup: tab, line feed, form feed, carriage return, space.
inline bool markup_space(char byte) noexcept {
  return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r' || byte == '\f';
}

inline std::size_t skip_space(std::string_view text, std::size_t from) noexcept {
  while (from < text.size() && markup_space(text[from])) ++from;
  return from;
}

// The byte in lower case, if it is a letter of ASCII.
constexpr char ascii_lower(char byte) noexcept {
  return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte | 0x20) : byte;
}

inline bool markup_letter(char byte) noexcept {
  const char lower = static_cast<char>(byte | 0x20);
  return lower >= 'a' && lower <= 'z';
}

}  // namespace corpusprep
