// Scores a text in one pass: its trigrams by several models, its words by several languages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "languages/language_evidence.hpp"
#include "languages/trigrams.hpp"
#include "languages/word_numbers.hpp"

namespace corpusprep {

// Sums over a text.
struct TextSums {
  std::uint64_t trigrams = 0;                  // running trigrams
  std::uint64_t words = 0;                     // running words, sequences of letter_class::of_word
  std::vector<std::uint64_t> of_trigrams;      // of the weights of trigrams, by model
  std::vector<std::int64_t> of_words;          // of the weights of words, by column
  std::vector<std::uint64_t>* keys = nullptr;  // where the key of each running word goes (WordNumbers::key_of), if any
};

// Scores texts. The sums of a word of letters depend only on the word, and most running words are among a few thousand.
// So their sums are kept, by word. Must not be used by several threads at once.
class TextScorer {
 public:
  // The tables and the folding are not copied and must outlive the scorer. word_weights: `columns` values per number of
  // `words`. Throws std::runtime_error if their count is different.
  TextScorer(const TrigramTable& trigrams, const WordNumbers& words, std::span<const std::int32_t> word_weights,
             std::size_t columns, const CaseFolding& folding);

  // The columns are the evidence of the words for each language. It is not copied either.
  TextScorer(const TrigramTable& trigrams, const WordNumbers& words, const LanguageEvidence& evidence,
             const CaseFolding& folding);

  // Returns zeros in the shape that add() needs.
  TextSums zeros() const;

  // Adds the sums of a text. No word continues from one text to the next. `reduced`: the text is composed and case
  // folded. Otherwise it is folded here; if a character is not in the folding, returns false and leaves `sums`
  // unchanged. Unit: an unsigned integer of 8, 16 or 32 bits, one per code point. Words that are too long for a key
  // have none among the keys.
  template <class Unit>
  bool add(std::span<const Unit> text, bool reduced, TextSums& sums);

 private:
  TextScorer(const TrigramTable& trigrams, const WordNumbers& words, std::size_t columns, const CaseFolding& folding);

  static constexpr std::size_t kPiece = 4096;      // characters folded at a time
  static constexpr std::size_t kLongestKept = 16;  // longest word whose sums are kept, in characters
  static constexpr unsigned kSlotBits = 16;        // number of words kept; 2 to 9 % of running words are not among them
  static constexpr std::size_t kWordsTogether = 64;
  // limit of a word's sums, so that the sums of kWordsTogether words fit 32 bits
  static constexpr std::int32_t kMostKept = 1 << 24;
  // The characters of a word in 16 bits each, then zeros. Keys and rows are aligned to cache lines: together they are
  // larger than the nearest caches.
  struct alignas(32) Kept {
    std::array<std::uint64_t, kLongestKept / 4> groups;
    // As a default operator would say, which calls a function.
    bool is(const Kept& other) const noexcept {
      std::uint64_t differs = 0;
      for (std::size_t i = 0; i < groups.size(); ++i) differs |= groups[i] ^ other.groups[i];
      return differs == 0;
    }
  };
  struct alignas(64) Line {
    std::array<std::int32_t, 16> sums;
  };

  struct Folded;
  struct Sought;
  template <class Unit, class Classified>
  bool walk(std::span<const Unit> text, Classified classified, TextSums& sums);
  template <class Unit, class Classified>
  void add_evidence(std::span<const Unit> run, Classified classified, TextSums& sums) const;
  template <class Unit, class Classified>
  void add_run(std::span<const Unit> run, Classified classified, TextSums& sums) const;
  void add_words(const Folded& folded, TextSums& sums);
  void seek(const std::uint16_t* word, std::size_t length, Sought& found) const noexcept;
  void add_rows(std::span<const Sought> words, Line* lines) const noexcept;
  void fill(const Sought& word, Line* lines) const noexcept;
  static std::int32_t* values(Line* lines) noexcept { return reinterpret_cast<std::int32_t*>(lines); }
  const std::int32_t* weights_of(std::uint32_t number) const noexcept;

  const TrigramTable& trigrams_;
  const WordNumbers& words_;
  std::vector<std::int32_t> word_weights_;
  const LanguageEvidence* evidence_ = nullptr;  // replaces the weights
  const CaseFolding& folding_;
  std::size_t models_, columns_, row_;  // row_: cache lines per row
  std::size_t longest_kept_;            // 0 if a word may add more than kMostKept
  std::vector<Kept> keys_;
  std::vector<Line> rows_;
  std::vector<std::uint64_t> word_keys_;  // of the words that are kept; empty until keys are asked for
};

}  // namespace corpusprep
