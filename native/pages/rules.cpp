#include "pages/rules.hpp"

namespace corpusprep {

void decide(const RuleMeasures& measures, const RuleLimits& limits, std::size_t blocks, std::uint8_t* rules) noexcept {
  for (std::size_t i = 0; i < blocks; ++i) {
    const double words = measures.words[i], links = measures.link_density[i], stops = measures.stopword_density[i];
    const bool grammatical = stops > limits.stopwords_high, is_short = words < limits.length_low;
    Rule rule = kFewStopWords;
    if (measures.copyright[i]) {
      rule = kCopyrightRule;
    } else if (measures.in_select[i]) {
      rule = kSelectRule;
    } else if (links > limits.max_link_density) {
      rule = kManyLinks;
    } else if (is_short) {
      rule = links > 0 ? kShortLink : kAsShort;
    } else if (grammatical && words > limits.length_high) {
      rule = kAsGood;
    } else if (grammatical || stops > limits.stopwords_low) {
      rule = kAsNearGood;
    }
    rules[i] = rule;
  }
}

}  // namespace corpusprep
