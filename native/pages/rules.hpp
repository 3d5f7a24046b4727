// Context-free classification of blocks (Pomikálek 2011, 2.7.2, algorithm 2.2, with the rules of 2.7.1).
#pragma once

#include <cstddef>
#include <cstdint>

namespace corpusprep {

// What decides on a block. The last rule that holds, in this order.
enum Rule : std::uint8_t {
  kFewStopWords,   // none of the others: bad
  kAsNearGood,     // stop-word density above stopwords_low
  kAsGood,         // above stopwords_high, and more than length_high words
  kAsShort,        // below length_low words
  kShortLink,      // the same, with links
  kManyLinks,      // link density above max_link_density
  kSelectRule,     // among the choices of a form
  kCopyrightRule,  // contains ©
};

inline constexpr std::size_t kRules = 8;

// The parameters of algorithm 2.2: lengths in words, densities as shares of 1.
struct RuleLimits {
  double max_link_density, length_low, stopwords_low, length_high, stopwords_high;
};

// Columns of measured blocks, one value per block.
struct RuleMeasures {
  const double* words;
  const double* link_density;
  const double* stopword_density;
  const std::uint8_t* copyright;
  const std::uint8_t* in_select;
};

// Columns of blocks as they are counted (BlockColumns in segmentation.hpp), one value per block.
struct RuleCounts {
  const std::uint32_t* words;
  const std::uint32_t* link_words;
  const std::uint32_t* alphabetic_words;
  const std::uint32_t* stop_words;
  const std::uint8_t* flags;
};

// Writes the rule that decides on each of `blocks` blocks. Linear time, no allocation.
void decide(const RuleMeasures& measures, const RuleLimits& limits, std::size_t blocks, std::uint8_t* rules) noexcept;
void decide(const RuleCounts& counts, const RuleLimits& limits, std::size_t blocks, std::uint8_t* rules) noexcept;

}  // namespace corpusprep
