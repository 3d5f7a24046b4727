// A text scored in one pass: its trigrams against several models, its words against several languages'.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "languages/trigrams.hpp"
#include "languages/word_numbers.hpp"

namespace corpusprep {

// Sums over a text.
struct TextSums {
  std::uint64_t trigrams = 0;              // running trigrams
  std::uint64_t words = 0;                 // running words, runs of letter_class::of_word
  std::vector<std::uint64_t> of_trigrams;  // of the trigrams' weights, by model
  std::vector<std::int64_t> of_words;      // of the words' weights, by column
};

// Scores texts. All that a word of letters adds hangs on the word alone, and most running words are among a few
// thousand: what they add is kept, found by the word itself. Not for several threads at once.
class TextScorer {
 public:
  // The tables and the folding are not copied, and outlive this. word_weights: `columns` values for each number of
  // `words`; std::runtime_error is thrown if they are not so many.
  TextScorer(const TrigramTable& trigrams, const WordNumbers& words, std::span<const std::int32_t> word_weights,
             std::size_t columns, const CaseFolding& folding);

  // Sums zeros, as many as `add` needs.
  TextSums zeros() const;

  // Adds what a text comes to; a word does not run on from one text to the next. `reduced`: it is composed and case
  // folded. Otherwise it is folded on the way, and false returned, with `sums` as they were, if a character of it is
  // not in the folding. Unit: an unsigned integer of 8, 16 or 32 bits, one a code point.
  template <class Unit>
  bool add(std::span<const Unit> text, bool reduced, TextSums& sums);

 private:
  static constexpr std::size_t kBlock = 4096;      // characters folded at a time
  static constexpr std::size_t kLongestKept = 16;  // characters of a word that is kept
  static constexpr unsigned kSlotBits = 16;        // words kept: of running words 2 to 9 % are not among them
  static constexpr std::size_t kWordsTogether = 64;
  static constexpr std::int32_t kMostKept = 1 << 24;  // of a word's sums, so that those of kWordsTogether have 32 bits
  // A word's characters in 16 bits each, zeros behind them. Neither these nor rows lie across lines of the caches more
  // often than they must: what is kept is more than fits into the nearest ones.
  struct alignas(32) Kept {
    std::array<std::uint64_t, kLongestKept / 4> groups;
    bool operator==(const Kept&) const = default;
  };
  struct alignas(64) Line {
    std::array<std::int32_t, 16> sums;
  };

  struct Folded;
  struct Sought;
  template <class Unit, class Classified>
  bool walk(std::span<const Unit> text, Classified classified, TextSums& sums);
  template <class Unit, class Classified>
  void add_run(std::span<const Unit> run, Classified classified, TextSums& sums) const;
  void add_words(const Folded& folded, TextSums& sums);
  Sought sought(const std::uint16_t* word, std::size_t length) const noexcept;
  void fill(const Sought& word, Line* lines) const noexcept;
  static std::int32_t* values(Line* lines) noexcept { return reinterpret_cast<std::int32_t*>(lines); }
  const std::int32_t* weights_of(std::uint32_t number) const noexcept;

  const TrigramTable& trigrams_;
  const WordNumbers& words_;
  std::vector<std::int32_t> word_weights_;
  const CaseFolding& folding_;
  std::size_t models_, columns_, row_;  // row_: lines of the two
  std::size_t longest_kept_;            // 0 where words may add more than kMostKept
  std::vector<Kept> keys_;
  std::vector<Line> rows_;
};

}  // namespace corpusprep
