// The features of a text that a classifier of quality weighs: its words and marks, and each two that follow each other.
//
// Words are runs of letters and marks of letters in small letters, with 0 in place of each digit. A letter of a script
// without spaces is a word of its own; so is each mark of punctuation, each symbol, and the end of a line. A feature is
// a number of kFeatureBits bits, made of a hash (Weinberger et al. 2009): several words may share it. It depends on the
// text alone. Time is linear in the length of the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "quality/text_sum.hpp"

namespace corpusprep {

inline constexpr unsigned kFeatureBits = 18;

// Returns the features of a text (UTF-8), in their order: of each word, then of it and the word before it.
std::vector<std::uint32_t> text_features(std::string_view text);

// Words and phrases that are looked for in texts. Immutable.
class ListedPhrases final : public TextMeasure {
 public:
  // Takes phrases (UTF-8): sequences of words and marks as above, but with their digits.
  explicit ListedPhrases(const std::vector<std::string>& phrases);
  // Returns how many words of a text are in phrases of the list, the longest at each place, and how many there are.
  // Marks and ends of lines are no words here.
  TextSum measure(std::string_view text) override;

 private:
  std::unordered_map<std::uint64_t, bool> beginnings_;  // of phrases, by their hash; whether it is a whole one
};

// The sum of the weights of a text's features, and their number.
class FeatureWeights final : public TextMeasure {
 public:
  // Keeps a view of the weights: 2^kFeatureBits values.
  explicit FeatureWeights(std::span<const std::int16_t> weights) : weights_(weights) {}
  TextSum measure(std::string_view text) override;

 private:
  std::span<const std::int16_t> weights_;
};

}  // namespace corpusprep
