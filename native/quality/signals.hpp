// Measures a document as filters for language models do: lengths, repetition, lines, marks and phrases.
//
// Definitions: Rae et al. 2021 (Gopher), table A1 and section A.1.1; Raffel et al. 2020 (C4), section 2.2; Penedo et
// al. 2023 (RefinedWeb), appendix G.2; Penedo et al. 2024 (FineWeb), section 3.5. Where a paper leaves a choice, it is
// that of datatrove's filters, whose thresholds are in use. Lengths are in characters, words are those of words.hpp,
// lines end with a line feed. A share of nothing is 0. Time is linear in the length of the text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "common/hash.hpp"
#include "quality/words.hpp"

namespace corpusprep {

// In the order of the columns; kSignalNames names them.
enum Signal : std::size_t {
  kCharacters,
  kLines,
  kWords,
  kMeanWordLength,
  kMeanLineLength,
  kDistinctWords,
  kStopWords,
  kAlphabeticWords,
  kHashes,
  kEllipses,
  kBulletLines,
  kEllipsisLines,
  kPunctuatedLines,
  kShortLines,
  kLineBreaks,
  kRepeatedLines,
  kRepeatedLineCharacters,
  kRepeatedCharacters,
  kRepeatedParagraphs,
  kRepeatedParagraphCharacters,
  kTop2grams,
  kTop3grams,
  kTop4grams,
  kRepeated5grams,
  kRepeated6grams,
  kRepeated7grams,
  kRepeated8grams,
  kRepeated9grams,
  kRepeated10grams,
  kSentences,
  kLoremIpsum,
  kCurlyBrackets,
  kWebLineWords,
  kLetters,
  kCapitals,
  kDigits,
  kPunctuation,
  kSymbols,
  kSignals
};

extern const std::array<const char*, kSignals> kSignalNames;

// Measures one document after another; keeps memory for the next. For one thread.
class QualitySignals {
 public:
  // `stop_words` are looked for as they are written.
  QualitySignals(const std::vector<std::vector<std::string>>& exceptions, const std::vector<std::string>& stop_words,
                 Splitting splitting = {});

  // Measures a text (UTF-8, below 4 GiB), with an empty line between paragraphs. `values` has room for kSignals.
  void measure(std::string_view text, double* values);
  // Returns the bytes where the words of a text begin and end.
  std::vector<std::uint32_t> words(std::string_view text);

 private:
  struct Word {
    std::uint32_t begin, end;
    std::uint32_t length;  // in characters
    std::uint64_t key;
  };
  // Keys with the place where each was first, and how often it was: emptied for each use without clearing it.
  class Places {
   public:
    struct Slot {
      std::uint64_t key = 0;
      std::uint32_t round = 0, first = 0, count = 0;
    };
    void start(std::size_t keys);
    // Counts a key, and returns the number of its slot.
    std::uint32_t add(std::uint64_t key, std::uint32_t place) noexcept;
    const Slot& operator[](std::uint32_t slot) const noexcept { return slots_[slot]; }

   private:
    std::vector<Slot> slots_;
    unsigned shift_ = 0;
    std::uint32_t round_ = 0;
  };

  void cut(std::string_view text, std::vector<Word>& words);
  void measure_words(std::string_view text, double* values);
  void measure_lines(std::string_view text, double* values);
  void measure_characters(std::string_view text, double* values);
  void measure_ngrams(double characters, double* values);
  // Returns the number of parts that are divided by `least` line feeds or more, of repeated ones, and their characters.
  std::array<double, 3> repeated(std::string_view text, std::size_t least);
  static double sentences(std::string_view text, std::span<const Word> words);

  WordSplitter splitter_;
  std::vector<std::string> stop_words_;
  std::vector<PlacedCharacter> scratch_;
  std::vector<Word> words_, line_words_;
  std::vector<std::uint64_t> keys_, ends_;
  std::vector<std::uint32_t> candidates_, slots_;  // n-grams that may be there twice, and their places
  std::vector<char> repeats_;                      // whether the n-gram that begins with a word is there twice
  std::string line_, small_;
  Places places_;
};

}  // namespace corpusprep
