// Evidence of a word for each of several languages: by its share in their word lists, and by its trigrams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/key_table.hpp"
#include "languages/trigrams.hpp"
#include "languages/word_numbers.hpp"

namespace corpusprep {

// A language's trigrams in one spelling, and the logarithms of their shares, in the unit of all values here.
struct TrigramLogs {
  std::size_t language;
  std::span<const std::uint64_t> keys;
  std::span<const std::int32_t> logs;
};

// The limits of evidence, in the same unit: from -kMost to 0.
struct EvidenceLimits {
  std::int32_t trigram_floor;   // logarithm for a trigram that a language does not have
  std::int32_t trigram_lowest;  // lowest evidence of a trigram
  std::int32_t word_floor;      // logarithm for a word that a language does not have
};

// Evidence is a logarithm of a probability, minus that of the most probable language: 0 or less. Whole numbers only, so
// it is the same on every machine. Immutable.
class LanguageEvidence {
 public:
  // words: a list per language; word_logs: the logarithm of the share of each word of each list. lowest: the lowest
  // evidence of a word by language, first for words in other scripts, then for words in Latin letters. The words must
  // outlive this object. Throws std::runtime_error if the counts do not fit, or a limit or
  // logarithm is out of range.
  LanguageEvidence(std::span<const TrigramLogs> trigrams, const WordNumbers& words,
                   std::span<const std::span<const std::int32_t>> word_logs, std::span<const std::int32_t> lowest,
                   EvidenceLimits limits);

  static constexpr std::int32_t kMost = 1 << 22;  // so that the sums of a word fit 32 bits

  std::size_t languages() const noexcept { return languages_; }

  // Writes the evidence of a word of letters and marks (not empty, composed and case folded), a value per language.
  void of_word(std::span<const char32_t> word, std::int32_t* evidence) const noexcept;
  // Writes the evidence of a syllable, a word of its own in scripts without spaces.
  void of_syllable(char32_t syllable, std::int32_t* evidence) const noexcept;

 private:
  struct Entry {
    std::uint32_t language;
    std::int32_t log;
  };

  const std::int32_t* find(std::uint64_t trigram) const noexcept;
  void limit(std::int32_t* evidence, const std::int32_t* lowest) const noexcept;

  std::size_t languages_;
  const WordNumbers& words_;
  std::vector<std::int32_t> lowest_;
  EvidenceLimits limits_;
  KeyTable<std::uint64_t> rows_;        // of trigrams_
  std::vector<std::int32_t> trigrams_;  // evidence of each trigram, languages_ values per row
  std::vector<std::size_t> starts_;     // of the entries of each word
  std::vector<Entry> entries_;
};

}  // namespace corpusprep
