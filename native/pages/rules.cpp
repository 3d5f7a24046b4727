#include "pages/rules.hpp"

#include <algorithm>

#include "pages/segmentation.hpp"

namespace corpusprep {

namespace {

struct Measured {
  double words, link_density, stopword_density;
  bool copyright, in_select;
};

Rule rule_of(const Measured& block, const RuleLimits& limits) noexcept {
  const bool grammatical = block.stopword_density > limits.stopwords_high;
  if (block.copyright) return kCopyrightRule;
  if (block.in_select) return kSelectRule;
  if (block.link_density > limits.max_link_density) return kManyLinks;
  if (block.words < limits.length_low) return block.link_density > 0 ? kShortLink : kAsShort;
  if (grammatical && block.words > limits.length_high) return kAsGood;
  return grammatical || block.stopword_density > limits.stopwords_low ? kAsNearGood : kFewStopWords;
}

}  // namespace

void decide(const RuleMeasures& measures, const RuleLimits& limits, std::size_t blocks, std::uint8_t* rules) noexcept {
  for (std::size_t i = 0; i < blocks; ++i) {
    rules[i] = rule_of({measures.words[i], measures.link_density[i], measures.stopword_density[i],
                        measures.copyright[i] != 0, measures.in_select[i] != 0},
                       limits);
  }
}

void decide(const RuleCounts& counts, const RuleLimits& limits, std::size_t blocks, std::uint8_t* rules) noexcept {
  for (std::size_t i = 0; i < blocks; ++i) {
    const double words = counts.words[i];
    rules[i] = rule_of({words, counts.link_words[i] / words,
                        counts.stop_words[i] / static_cast<double>(std::max(counts.alphabetic_words[i], 1U)),
                        (counts.flags[i] & kCopyright) != 0, (counts.flags[i] & kInSelect) != 0},
                       limits);
  }
}

}  // namespace corpusprep
