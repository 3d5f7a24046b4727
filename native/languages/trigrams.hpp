// Character trigrams of several models (Pomikálek 2011, 3.6), and what a character is to them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/key_table.hpp"

namespace corpusprep {

// What a character that is composed and case folded is part of, a bit each.
namespace letter_class {
constexpr std::uint32_t joined = 1;    // words that trigrams are made of: a letter or mark
constexpr std::uint32_t syllable = 2;  // a word of its own to trigrams: Han, kana, Hangul
constexpr std::uint32_t of_word = 4;   // words that are compared as wholes: a letter, or a number that is no digit
constexpr std::uint32_t letter = joined | of_word;
constexpr std::uint32_t special = 8;  // any of these, but not a letter of 16 bits
constexpr std::uint32_t unknown = 128;
}  // namespace letter_class

// A character with its classes: the code point, and from bit kClassShift on what letter_class names. 0: of none.
using Letter = std::uint32_t;
constexpr unsigned kClassShift = 24;
constexpr char32_t code_of(Letter letter) noexcept { return letter & 0x1FFFFF; }
constexpr std::uint32_t class_of(Letter letter) noexcept { return letter >> kClassShift; }

// Of a character that is composed and case folded.
Letter letter_of(char32_t code_point) noexcept;

// Case folding of the characters that stand for themselves, whatever is beside them: those that NFC leaves as they
// are and that fold to one character. All the others are for Unicode's own algorithms.
class CaseFolding {
 public:
  static constexpr std::size_t kSize = 0x3100;  // alphabets, punctuation, symbols, kana: what is worth a table
  static constexpr Letter kUnknown = 0xFFFFFFFF;

  // `folded`: of each code point below kSize the one it folds to, or kUnknown.
  explicit CaseFolding(std::span<const std::uint32_t, kSize> folded);

  // What a code point of a text folds to; kUnknown. Han and Hangul syllables stand for themselves.
  Letter folded(char32_t code_point) const noexcept {
    if (code_point < kSize) return folded_[code_point];
    const bool han = code_point >= 0x4E00 && code_point <= 0x9FFF;
    const bool hangul = code_point >= 0xAC00 && code_point <= 0xD7A3;
    return han || hangul ? letter_of(code_point) : kUnknown;
  }
  // What a code point of a text that is composed and folded already is.
  Letter kept(char32_t code_point) const noexcept {
    return code_point < kSize ? kept_[code_point] : letter_of(code_point);
  }

 private:
  std::array<Letter, kSize> folded_, kept_;
};

// A trigram's key: three code points of 21 bits each, the first highest.
constexpr std::uint64_t trigram_key(std::uint64_t left, std::uint64_t middle, std::uint64_t right) noexcept {
  return left << 42 | middle << 21 | right;
}
// What stands in a trigram before and behind a word.
constexpr std::uint64_t kWordEdge = 0x20;

// The trigrams of several models. Immutable once filled.
class TrigramTable {
 public:
  // keys[m], weights[m]: the trigrams of model m (trigram_key, each once) and their weights, as many. Throws
  // std::length_error at 2^30 trigrams.
  TrigramTable(std::span<const std::span<const std::uint64_t>> keys,
               std::span<const std::span<const std::uint32_t>> weights);

  // The weights of the trigram in each model, models() of them; null if no model has it.
  const std::uint32_t* find(std::uint64_t key) const noexcept {
    const std::uint32_t row = rows_.find(key);
    return row == KeyTable<std::uint64_t>::kNone ? nullptr : weights_.data() + row * models_;
  }

  std::uint32_t largest() const noexcept { return largest_; }  // of the weights
  std::size_t models() const noexcept { return models_; }

 private:
  std::size_t models_;
  KeyTable<std::uint64_t> rows_;        // of weights_, by trigram
  std::vector<std::uint32_t> weights_;  // models_ per row
  std::uint32_t largest_ = 0;
};

}  // namespace corpusprep
