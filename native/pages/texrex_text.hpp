// What texrex counts in the text of a block (Schäfer 2016, table 1).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace corpusprep {

// All counts are of characters or of matches that do not overlap.
struct TexrexTextCounts {
  std::int64_t characters = 0;
  std::int64_t spaces = 0;
  std::int64_t upper = 0;        // upper-case letters
  std::int64_t lower = 0;        // lower-case letters
  std::int64_t numbers = 0;      // characters of category N
  std::int64_t punctuation = 0;  // characters of category P
  std::int64_t sentences = 0;    // . ? ! before white space or the end
  std::int64_t years = 0;        // 2000 to 2019 behind a character, with no digit beside
  std::int64_t tags = 0;         // <x…>, left in the text by references such as &lt;
  std::int64_t emails = 0;
  std::int64_t uris = 0;
  std::int64_t hashtags = 0;
  bool copyright = false;
  bool ends_sentence = false;
};

// Counts in blocks, one after another. Time is linear in the length of the text.
class TexrexText {
 public:
  // `utf8`: a block; its white space is single spaces, none at its ends.
  TexrexTextCounts count(std::string_view utf8);

 private:
  void count_tags(TexrexTextCounts& counts) const;
  void count_years(TexrexTextCounts& counts) const;
  void count_emails(TexrexTextCounts& counts) const;
  void count_uris_and_hashtags(TexrexTextCounts& counts) const;
  std::size_t uri_end(std::size_t from) const;

  std::vector<char32_t> text_;
  std::vector<std::uint8_t> kinds_;  // UnicodeClass of each character
};

}  // namespace corpusprep
