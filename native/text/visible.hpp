// Leaves out the characters of a text that nobody sees.
//
// Invisible are control characters, soft hyphens, zero-width spaces, directional marks, other format characters and
// fillers, private-use characters (icon fonts) and non-characters. They would be tokens of their own, or make two
// tokens of what looks like one word. Some characters of this kind change how their neighbours look, and stay there:
//   U+200D (zero-width joiner)      after a letter or mark of a script that joins letters; between two symbols (emoji)
//   U+200C (zero-width non-joiner)  between two letters or marks of such scripts
//   variation selectors             after a visible character
//   tags                            after a symbol (flags of regions)
// Scripts that join letters: Arabic, Syriac, N'Ko, Mongolian, Tibetan and the scripts of India and South-East Asia.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "text/unicode.hpp"

namespace corpusprep {

// Decides about the characters of a text one after another.
class VisibleText {
 public:
  // What becomes of a character: it stays, or not; a joiner before it may stay too, and follows only now.
  struct Decision {
    bool keep;
    char32_t joiner;  // U+200C or U+200D, which comes before the character; 0 if there is none
  };

  // The next character, which is not white space.
  Decision next(char32_t code_point) noexcept;
  // One or more visible ASCII characters.
  void ascii() noexcept {
    drop_joiner();
    before_ = Before::other;
  }
  // White space, or the end of a text.
  void space() noexcept {
    drop_joiner();
    before_ = Before::nothing;
  }
  // Counts a character that the caller left out.
  void dropped() noexcept { ++left_out_; }
  // How many characters were left out since the last call.
  std::uint32_t take_left_out() noexcept {
    const auto count = left_out_;
    left_out_ = 0;
    return count;
  }

 private:
  enum class Before : std::uint8_t { nothing, other, joining, symbol };
  void drop_joiner() noexcept {
    left_out_ += joiner_ != 0;
    joiner_ = 0;
  }
  char32_t joiner_ = 0;  // waits for the next character
  std::uint32_t left_out_ = 0;
  Before before_ = Before::nothing;
};

// Returns a text without the characters that nobody sees. White space is not changed.
std::u32string visible(std::u32string_view text);

}  // namespace corpusprep
