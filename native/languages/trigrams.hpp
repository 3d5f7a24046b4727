// Character trigrams of several models (Pomikálek 2011, 3.6), and the classes of characters that they use.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/key_table.hpp"

namespace corpusprep {

// What a composed, case-folded character can be part of: one bit per class.
namespace letter_class {
constexpr std::uint32_t joined = 1;    // a word for trigrams: letters and marks
constexpr std::uint32_t syllable = 2;  // a separate word for trigrams: Han, kana, Hangul
constexpr std::uint32_t of_word = 4;   // a word to compare as a whole: letters, and numbers that are no digits
constexpr std::uint32_t letter = joined | of_word;
constexpr std::uint32_t special = 8;  // in one of these classes, but not a letter of 16 bits
constexpr std::uint32_t unknown = 128;
}  // namespace letter_class

// A character with its classes: the code point, and the bits of letter_class from bit kClassShift on. 0: no class.
using Letter = std::uint32_t;
constexpr unsigned kClassShift = 24;
constexpr char32_t code_of(Letter letter) noexcept { return letter & 0x1FFFFF; }
constexpr std::uint32_t class_of(Letter letter) noexcept { return letter >> kClassShift; }

// Returns the letter of a composed, case-folded character.
Letter letter_of(char32_t code_point) noexcept;

// Returns whether a character of U+3100 and above is known to be the same after NFC and case folding, whatever its
// neighbours: Han, Hangul syllables, variation selectors, and all that are neither letters nor marks (emoji, full-width
// punctuation), but for notes of music, which decompose.
bool folds_to_itself(char32_t code_point) noexcept;

// Case folding of characters that do not depend on their neighbours: NFC leaves them unchanged, and they fold to one
// character. All others need the full algorithms of Unicode.
class CaseFolding {
 public:
  static constexpr std::size_t kSize = 0x3100;  // alphabets, punctuation, symbols, kana
  static constexpr Letter kUnknown = 0xFFFFFFFF;

  // `folded`: for each code point below kSize, the code point it folds to, or kUnknown.
  explicit CaseFolding(std::span<const std::uint32_t, kSize> folded);

  // Returns what a code point of a text folds to, or kUnknown.
  Letter folded(char32_t code_point) const noexcept {
    if (code_point < kSize) return folded_[code_point];
    return folds_to_itself(code_point) ? letter_of(code_point) : kUnknown;
  }
  // Returns the letter of a code point in a text that is composed and case folded.
  Letter kept(char32_t code_point) const noexcept {
    return code_point < kSize ? kept_[code_point] : letter_of(code_point);
  }

 private:
  std::array<Letter, kSize> folded_, kept_;
};

// The key of a trigram: three code points of 21 bits each, the first one highest.
constexpr std::uint64_t trigram_key(std::uint64_t left, std::uint64_t middle, std::uint64_t right) noexcept {
  return left << 42 | middle << 21 | right;
}
// Stands in a trigram before and after a word.
constexpr std::uint64_t kWordEdge = 0x20;

// The trigrams of several models. Immutable.
class TrigramTable {
 public:
  // keys[m], weights[m]: the trigrams of model m (trigram_key, no key twice) and as many weights. Throws
  // std::length_error for 2^30 trigrams and more.
  TrigramTable(std::span<const std::span<const std::uint64_t>> keys,
               std::span<const std::span<const std::uint32_t>> weights);

  // Returns the weights of the trigram, one per model; null if no model has it.
  const std::uint32_t* find(std::uint64_t key) const noexcept {
    const std::uint32_t row = rows_.find(key);
    return row == KeyTable<std::uint64_t>::kNone ? nullptr : weights_.data() + row * models_;
  }

  std::uint32_t largest() const noexcept { return largest_; }  // largest weight
  std::size_t models() const noexcept { return models_; }

 private:
  std::size_t models_;
  KeyTable<std::uint64_t> rows_;        // of weights_, by trigram
  std::vector<std::uint32_t> weights_;  // models_ per row
  std::uint32_t largest_ = 0;
};

}  // namespace corpusprep
