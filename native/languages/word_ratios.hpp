// Words that are much more frequent in one of two languages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/key_table.hpp"

namespace corpusprep {

// What a word says for a language against another (languages/word_evidence.py): the logarithm of the ratio of its
// shares in both.
struct EvidenceScale {
  double least_ratio;  // words with a ratio nearer to 1 say nothing
  double most_ratio;   // larger ratios count as this one
  double unit;         // evidence of 1 as a whole number; most_ratio must give less than 2^31
};

// Words with their evidence: parallel columns.
struct UnequalWords {
  std::vector<std::uint64_t> keys;
  std::vector<std::int32_t> evidence;
};

// The words of a language, to be compared with the words of others. Immutable.
class WordRatios {
 public:
  // keys: of the words of the language (WordNumbers::keys_of), each once. shares: as many. They are not copied and must
  // outlive the object.
  WordRatios(std::span<const std::uint64_t> keys, std::span<const std::uint32_t> shares);

  // Returns the words with evidence for this language or for the other. A word that a language does not have counts as
  // if it had its least share, and so does each word with a smaller share; the larger of the two least shares counts
  // for both languages. There are none if one of the languages has no words.
  UnequalWords unequal(const WordRatios& other, const EvidenceScale& scale) const;

 private:
  friend class WordComparison;
  std::uint32_t share(std::uint64_t key) const noexcept {
    const std::uint32_t place = places_.find(key);
    return place == KeyTable<std::uint64_t>::kNone ? 0 : shares_[place];
  }

  std::span<const std::uint64_t> keys_;
  std::span<const std::uint32_t> shares_;
  KeyTable<std::uint64_t> places_;
  std::uint32_t least_ = 0;  // of the shares
};

// Adds up what words say for a language against others. What was found of a word is kept until another word takes its
// place, so it must not be used by several threads at once.
class WordComparison {
 public:
  // The languages are not copied and must outlive the object.
  WordComparison(const WordRatios& own, std::span<const WordRatios* const> others, const EvidenceScale& scale);

  // Returns the sums of the evidence of running words against each of the others. Their keys are those of
  // WordNumbers::key_of.
  std::vector<std::int64_t> sums(std::span<const std::uint64_t> words);
  // Returns whether the sum against each of the others is at least its floor, of which there is one for each. Often the
  // first words decide, whatever the others are.
  bool reach(std::span<const std::uint64_t> words, std::span<const std::int64_t> floors);

 private:
  static constexpr std::size_t kTogether = 32;                // words between two looks at the floors
  static constexpr std::size_t kKept = std::size_t{1} << 14;  // words: more than most texts have

  void add(std::span<const std::uint64_t> words, std::span<std::int64_t> sums);

  const WordRatios& own_;
  std::vector<const WordRatios*> others_;
  EvidenceScale scale_;
  std::vector<std::uint64_t> keys_;     // of the words that are kept
  std::vector<std::int32_t> evidence_;  // theirs, against each of the others
};

}  // namespace corpusprep
