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

namespace corpusprep {

inline constexpr unsigned kFeatureBits = 18;

// Returns the features of a text (UTF-8), in their order: of each word, then of it and the word before it.
std::vector<std::uint32_t> text_features(std::string_view text);

// Words and phrases that are looked for in texts. Immutable.
class ListedPhrases {
 public:
  struct Found {
    std::int64_t listed = 0, words = 0;
  };

  // Takes phrases (UTF-8): sequences of words and marks as above, but with their digits.
  explicit ListedPhrases(const std::vector<std::string>& phrases);
  // Returns how many words of a text are in phrases of the list, the longest at each place, and how many there are.
  // Marks and ends of lines are no words here.
  Found measure(std::string_view text) const;

 private:
  std::unordered_map<std::uint64_t, bool> beginnings_;  // of phrases, by their hash; whether it is a whole one
};

struct FeatureSum {
  std::int64_t weights = 0, features = 0;
};

// Returns the sum of the weights of a text's features, and their number. `weights` has 2^kFeatureBits values.
FeatureSum feature_sum(std::string_view text, std::span<const std::int16_t> weights);

}  // namespace corpusprep
