// Character trigram models of clean and of dirty text, compared (NCLEANER; Evert 2008). All numbers are whole.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace corpusprep {

inline constexpr std::size_t kCharacterClasses = 9;  // those of UnicodeClass
inline constexpr std::size_t kMostSymbols = 256;

// What stands for the characters of a text: whole characters that are frequent, and classes of all others.
struct SymbolArrays {
  std::vector<std::uint32_t> characters;                  // ascending code points that have a symbol of their own
  std::vector<std::uint8_t> symbols;                      // the symbol of each; several may share one
  std::array<std::uint8_t, kCharacterClasses> classes{};  // the symbol of all other characters, by UnicodeClass
};

// Maps characters to symbols. Immutable; shared between threads without locks.
class Symbols {
 public:
  // The symbol before the first and after the last character of a text; no character has it.
  static constexpr std::uint8_t kBoundary = 0;

  // Throws std::invalid_argument if the arrays do not fit together, or a character has the symbol kBoundary.
  explicit Symbols(const SymbolArrays& arrays);

  std::uint8_t of(char32_t character) const noexcept {
    return character < kDirect ? direct_[character] : searched(character);
  }
  // The highest symbol of a character.
  std::uint8_t highest() const noexcept { return highest_; }

 private:
  static constexpr char32_t kDirect = 0x800;
  std::uint8_t searched(char32_t character) const noexcept;

  std::array<std::uint8_t, kDirect> direct_{};
  std::vector<std::uint32_t> characters_;  // from kDirect on
  std::vector<std::uint8_t> symbols_;
  std::array<std::uint8_t, kCharacterClasses> classes_;
  std::uint8_t highest_ = 0;
};

// Weights: log P(symbol | two symbols before it, clean) - log P(the same, dirty), in a unit of the model's. A trigram
// that is not listed has the weight of its last two symbols, and that of its context, the two symbols before the last.
struct TrigramArrays {
  std::uint32_t count = 0;              // of symbols, 2 to kMostSymbols
  std::vector<std::int16_t> pairs;      // count * count: [symbol before][symbol]
  std::vector<std::int16_t> contexts;   // count * count: [symbol before that][symbol before]
  std::vector<std::uint32_t> trigrams;  // ascending: (first * count + second) * count + third
  std::vector<std::int16_t> weights;    // of the trigrams
};

// What is known of a segment of text.
struct Segment {
  std::int64_t sum = 0;       // of the weights of its characters and its end: above 0, clean text is more probable
  std::uint32_t bars = 0;     // vertical bars
  std::uint32_t letters = 0;  // letters and marks
};

// Immutable; shared between threads without locks.
class CharacterModel {
 public:
  // Throws std::invalid_argument if the arrays do not fit together.
  CharacterModel(const SymbolArrays& symbols, const TrigramArrays& trigrams);

  // Measures a text in linear time. Invalid UTF-8 counts as U+FFFD.
  Segment measure(std::string_view utf8) const noexcept;

 private:
  struct Context {
    std::uint32_t row = 0;   // where the weights of its trigrams start
    std::int32_t extra = 0;  // is added to each
  };

  Symbols symbols_;
  std::uint32_t count_;
  std::vector<Context> contexts_;      // count * count
  std::vector<std::int16_t> weights_;  // rows of `count`: of the last two symbols, then of contexts with trigrams
};

}  // namespace corpusprep
