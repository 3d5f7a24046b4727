// Counts what tells running text from code, tables of numbers and lists of names.
#pragma once

#include <cstdint>
#include <span>

namespace corpusprep {

// Counts over a text. `characters` and `code` do not see white space: f ( x ) counts as f(x).
struct RunningText {
  std::uint32_t characters = 0;  // but white space
  std::uint32_t letters = 0;
  std::uint32_t marks = 0;     // that combine with letters
  std::uint32_t code = 0;      // signs of code: {}<>=;_#$|\@~`^, calls and indices ("f(", "()", ");")
  std::uint32_t words = 0;     // runs of letters
  std::uint32_t capitals = 0;  // words whose first letter has a lower case
  std::uint32_t pieces = 0;    // parts with a letter, between commas, semicolons, tabs, line breaks, |, /, bullets
};

// Unit: an unsigned integer of 8, 16 or 32 bits, one per code point. Less than 2^32 characters.
template <class Unit>
RunningText running_text(std::span<const Unit> text) noexcept;

}  // namespace corpusprep
