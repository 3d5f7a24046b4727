// Character trigrams of a text, scored against several models in one pass (Pomikálek 2011, 3.6).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace corpusprep {

enum class LetterClass : std::uint8_t {
  other = 0,
  letter = 1,    // of a word
  syllable = 2,  // a word of its own: Han, kana, Hangul
};

// Of a character that is composed and case folded.
LetterClass letter_class(char32_t code_point) noexcept;

// Case folding of the characters that stand for themselves, whatever is beside them: those that NFC leaves as they
// are and that fold to one character. All the others are for Unicode's own algorithms.
class CaseFolding {
 public:
  static constexpr std::size_t kSize = 0x2100;  // Latin, Greek, Cyrillic, …, punctuation: what is worth a table
  static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;

  // `folded`: of each code point below kSize the one it folds to, or kUnknown.
  explicit CaseFolding(std::span<const std::uint32_t, kSize> folded);

  // What a code point folds to, with its LetterClass above bit 24; kUnknown.
  std::uint32_t operator[](char32_t code_point) const noexcept {
    return code_point < kSize ? entries_[code_point] : kUnknown;
  }

 private:
  std::array<std::uint32_t, kSize> entries_;
};

// The trigrams of several models. Immutable once filled; shared between threads without locks.
class TrigramTable {
 public:
  // keys[m], weights[m]: the trigrams of model m (three code points of 21 bits each, the first highest; each once)
  // and their weights, as many. Throws std::length_error at 2^30 trigrams.
  TrigramTable(std::span<const std::span<const std::uint64_t>> keys,
               std::span<const std::span<const std::uint32_t>> weights);

  // Adds to sums[m] the weights of the running trigrams of a text that is reduced (NFC, case folded), and gives
  // their number. Unit: an unsigned integer of 8, 16 or 32 bits, one a code point.
  template <class Unit>
  std::size_t add_reduced(std::span<const Unit> text, std::uint64_t* sums) const noexcept;

  // The same for a text as it stands, folded on the way. Returns false, with sums and `running` as they were, if a
  // character of it is not in `folding`.
  template <class Unit>
  bool add(std::span<const Unit> text, const CaseFolding& folding, std::uint64_t* sums,
           std::size_t& running) const noexcept;

  std::size_t models() const noexcept { return models_; }

 private:
  template <std::size_t Models, class Unit, class Classified>
  std::size_t walk_for(std::span<const Unit> text, Classified classified, std::uint64_t* sums) const noexcept;
  template <class Unit, class Classified>
  std::size_t walk(std::span<const Unit> text, Classified classified, std::uint64_t* sums) const noexcept;

  std::size_t models_;
  unsigned shift_ = 0;                  // 64 - log2 of the slots
  std::vector<std::uint64_t> keys_;     // open addressing; 0 (no trigram) is free
  std::vector<std::uint32_t> weights_;  // models_ a slot
};

}  // namespace corpusprep
