// Which tokens n-grams are made of (Pomikálek 2011, 3.6.3).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/hash.hpp"
#include "text/unicode.hpp"
#include "text/word_set.hpp"

namespace corpusprep {

// Counts all tokens except stop words and, unless `count_punctuation`, tokens that start with punctuation or a symbol.
class TokenSelection {
 public:
  // `stop_words` are matched byte for byte: give each form (2.9.9: lower case, and with a first capital).
  TokenSelection(bool count_punctuation, const std::vector<std::string>& stop_words)
      : count_punctuation_(count_punctuation), stop_words_(stop_words) {}

  // `token` is not empty; `key` is its word_key.
  bool counted(std::string_view token, std::uint64_t key) const noexcept {
    if (!count_punctuation_) {
      const auto first = unicode_class(decode_utf8(token, 0).code_point);
      if (first == UnicodeClass::punctuation || first == UnicodeClass::symbol) return false;
    }
    return !stop_words_.contains(token, key);
  }

 private:
  bool count_punctuation_;
  WordSet stop_words_;
};

}  // namespace corpusprep
