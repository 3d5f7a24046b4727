// Splits text into the words that filters for language models count: white space divides, and marks come off the edges
// and the seams of what is left.
//
// The published thresholds (Rae et al. 2021; Penedo et al. 2024) are used with words that are cut by the rules of
// spaCy (Honnibal et al. 2020), so these are its rules, in this order, for each piece between white space:
//   * a piece that is an exception (don't, Mr., e.g.) is cut as its entry says;
//   * one mark comes off the front, one off the end, and this again until nothing comes off or an exception is left;
//   * an address of the web stays whole;
//   * marks between letters or digits cut what is left (well-known, and/or, end.Start, 5-6).
// Languages differ in some of them (Splitting).
// The classes of letters are those of unicode.hpp, so that results do not depend on a library's version.
#pragma once

#include <bitset>
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

// How words of a language are cut where languages differ.
struct Splitting {
  enum class Hyphens : std::uint8_t { stay, between_letters, behind_digits };
  Hyphens hyphens = Hyphens::between_letters;  // `stay`: only two or more cut; `behind_digits`: also 12-metre
  bool elision = false;                        // an apostrophe ends a word before a letter: l'eau
  bool ordinals = false;                       // a full stop stays with the number before it
};

// Immutable: several threads may use one.
class WordSplitter {
 public:
  // Each exception is its parts, in order; an empty part is an error (std::invalid_argument).
  explicit WordSplitter(const std::vector<std::vector<std::string>>& exceptions, Splitting splitting = {});

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

  // A number by which nearly all pieces are known to be no exception.
  static std::size_t mark_of(std::string_view piece) noexcept {
    const auto byte = [&](std::size_t place) { return std::size_t{static_cast<unsigned char>(piece[place])}; };
    return (byte(0) + 37 * byte(piece.size() / 2) + 1021 * byte(piece.size() - 1) + 8191 * piece.size()) % kMarks;
  }
  const Ends* exception(std::string_view piece) const noexcept {
    if (piece.size() > longest_ || !marked_[mark_of(piece)]) return nullptr;
    const auto found = exceptions_.find(piece);
    return found == exceptions_.end() ? nullptr : &found->second;
  }
  // Appends the ends of the words of a piece, in bytes from its start.
  void cut(std::string_view piece, std::vector<PlacedCharacter>& characters, Ends& ends) const;

  // Returns whether a mark comes off the end of a piece, by itself, if only letters are before it; the rest stays.
  static bool comes_off(char mark, char before) noexcept {
    return mark == ',' || mark == ';' || mark == ':' || mark == '!' || mark == '?' ||
           (mark == '.' && before >= 'a' && before <= 'z');
  }
  template <class Word>
  static void give(std::size_t begin, std::size_t end, const Ends* parts, Word word) {
    if (parts == nullptr) return word(begin, end);
    for (std::size_t start = begin; const std::uint32_t part : *parts) {
      word(start, begin + part);
      start = begin + part;
    }
  }

  static constexpr std::size_t kMarks = 1 << 14;
  std::unordered_map<std::string, Ends, Hash, std::equal_to<>> exceptions_;
  std::bitset<kMarks> marked_;
  std::size_t longest_ = 0;
  Splitting splitting_;
};

}  // namespace corpusprep

#include "quality/words_each.hpp"
