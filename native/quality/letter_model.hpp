// The perplexity of the words of a text under a model of letters, made from words and their shares alone.
//
// The model is one of n-grams of up to kOrder letters within words, whose begin and end count as letters: interpolated
// as by Witten and Bell (1991, method C), with the words as often as in kSampleWords running words. Words do not depend
// on each other, so a text's value does not depend on the order of its lines. Costs are whole numbers: sums are exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/key_table.hpp"
#include "quality/text_sum.hpp"

namespace corpusprep {

class LetterModel final : public TextMeasure {
 public:
  static constexpr std::size_t kOrder = 5;
  static constexpr double kCostUnit = 65536;  // of the negative natural logarithm of a probability
  static constexpr double kSampleWords = 1 << 20;

  // Takes words (UTF-8, case folded, separated by line feeds), and the share of each in 1 / 2^32. Throws
  // std::invalid_argument unless there are as many.
  LetterModel(std::string_view words, std::span<const std::uint32_t> shares);

  // Returns the cost of the words of a text, in 1 / kCostUnit, and their letters with ends of words. Words are runs of
  // letters, case folded. What a word costs is kept until another word takes its place: for one thread.
  TextSum measure(std::string_view text) override;

 private:
  struct Known {
    std::uint64_t key = 0;
    TextSum cost;
  };

  TextSum of_word(std::string_view word) const;
  std::uint32_t letter(char32_t c) const noexcept;

  std::unordered_map<char32_t, std::uint32_t> letters_;  // to numbers from 1 on
  KeyTable<std::uint64_t> costs_;                        // of the last letter of an n-gram behind the others
  KeyTable<std::uint64_t> backoffs_;                     // of a context: the cost of taking a shorter one
  std::uint32_t unknown_ = 0;                            // of a letter that no word has
  std::vector<Known> known_;
};

}  // namespace corpusprep
