// Runs of letters in UTF-8, found by the classes of many characters of ASCII at once.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/ascii_classes.hpp"
#include "text/unicode.hpp"

namespace corpusprep {

// Calls run(word) for each longest run of letters of a text (UTF-8, any bytes), in their order. The letters of ASCII
// are a to z and A to Z. `letter(code_point)` says whether a character beyond ASCII is one; it is called once for each.
// `joins(place)` says whether the character of ASCII at this place, which follows a letter, is part of the run.
template <class Letter, class Joins, class Run>
void each_letter_run(std::string_view text, Letter letter, Joins joins, Run run) {
  constexpr auto none = std::string_view::npos;
  std::size_t start = none;  // of the current run
  const auto end_at = [&](std::size_t place) {
    run(text.substr(start, place - start));
    start = none;
  };
  for (std::size_t place = 0; place < text.size();) {
    const auto classes = ascii_classes(text.data() + place, text.size() - place, place);
    for (std::size_t i = 0; i < classes.size;) {
      if (start == none) {
        const std::uint64_t letters = classes.letters >> i;
        if (letters == 0) break;
        i += static_cast<std::size_t>(std::countr_zero(letters));
        start = place + i;
      }
      i += static_cast<std::size_t>(std::countr_one(classes.letters >> i));
      if (i < classes.size) {
        if (!joins(place + i)) end_at(place + i);
        ++i;
      }
    }
    place += classes.size;
    while (place < text.size() && static_cast<unsigned char>(text[place]) >= 0x80) {
      const auto character = decode_utf8(text, place);
      if (letter(character.code_point)) {
        if (start == none) start = place;
      } else if (start != none) {
        end_at(place);
      }
      place += character.length;
    }
  }
  if (start != none) end_at(text.size());
}

}  // namespace corpusprep
