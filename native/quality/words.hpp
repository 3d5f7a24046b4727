// Splits text into the words that filters for language models count: white space divides, and marks come off the edges
// and the seams of what is left.
//
// The published thresholds (Rae et al. 2021; Penedo et al. 2024) are used with words that are cut by the rules of
// spaCy (Honnibal et al. 2020), so these are its rules, in this order, for each piece between white space:
//   * a piece that is an exception (don't, Mr., e.g.) is cut as its entry says;
//   * one mark comes off the front, one off the end, and this again until nothing comes off or an exception is left;
//   * an address of the web stays whole;
//   * marks between letters or digits cut what is left (well-known, and/or, end.Start, 5-6).
// The classes of letters are those of unicode.hpp, so that results do not depend on a library's version.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace corpusprep {

// A character of a text, with the byte where it begins.
struct PlacedCharacter {
  char32_t code_point;
  std::uint32_t begin;
};

// Immutable: several threads may use one.
class WordSplitter {
 public:
  // Each exception is its parts, in order; an empty part is an error (std::invalid_argument).
  explicit WordSplitter(const std::vector<std::vector<std::string>>& exceptions);

  // Calls word(begin, end) with the bytes of each word of a text (UTF-8, below 4 GiB), in order. `scratch` is memory
  // for the characters of a piece.
  template <class Word>
  void each(std::string_view text, std::vector<PlacedCharacter>& scratch, Word word) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
  };
  using Ends = std::vector<std::uint32_t>;  // of the parts of an exception, in bytes

  const Ends* exception(std::string_view piece) const noexcept {
    if (piece.size() > longest_) return nullptr;
    const auto found = exceptions_.find(piece);
    return found == exceptions_.end() ? nullptr : &found->second;
  }
  // Appends the ends of the words of a piece, in bytes from its start.
  void cut(std::string_view piece, std::vector<PlacedCharacter>& characters, Ends& ends) const;

  std::unordered_map<std::string, Ends, Hash, std::equal_to<>> exceptions_;
  std::size_t longest_ = 0;
};

}  // namespace corpusprep

#include "quality/words_each.hpp"
