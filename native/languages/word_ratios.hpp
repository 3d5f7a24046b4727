// Words that are much more frequent in one of two languages.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/key_table.hpp"

namespace corpusprep {

// Words with their shares in two languages: parallel columns.
struct UnequalWords {
  std::vector<std::uint64_t> keys;
  std::vector<std::uint32_t> own, other;
};

// The words of a language, to be compared with those of others. Immutable.
class WordRatios {
 public:
  // keys: of the words of the language (WordNumbers::keys_of), each once. shares: as many. They are not copied and must
  // outlive the object.
  WordRatios(std::span<const std::uint64_t> keys, std::span<const std::uint32_t> shares);

  // Returns the words whose share in one language is at least `ratio` times that in the other. A word that a language
  // does not have counts as if it had its least share, and so does each word with a smaller share; the larger of the
  // two least shares counts for both languages.
  UnequalWords unequal(std::span<const std::uint64_t> keys, std::span<const std::uint32_t> shares, double ratio) const;

 private:
  std::span<const std::uint64_t> keys_;
  std::span<const std::uint32_t> shares_;
  KeyTable<std::uint64_t> places_;
};

}  // namespace corpusprep
