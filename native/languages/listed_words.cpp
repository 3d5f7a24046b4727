#include "languages/listed_words.hpp"

#include <algorithm>
#include <stdexcept>

#include "common/hash.hpp"
#include "languages/trigrams.hpp"
#include "text/letter_runs.hpp"

namespace corpusprep {

namespace {

// 0 is no key of a KeyTable.
std::uint64_t key_of(std::string_view word) noexcept {
  const auto key = word_key(word);
  return key != 0 ? key : 1;
}

// From Thai on, but for Latin, Greek and punctuation.
bool unspaced(char32_t code_point) noexcept {
  if (code_point < 0x0E00) return false;
  return code_point < 0x1E00 || (code_point - 0x2E80 < 0xFB00 - 0x2E80) || (code_point - 0x20000 < 0x323B0 - 0x20000);
}

}  // namespace

ListedWords::ListedWords(std::span<const std::string_view> lists) : lists_(lists.size()) {
  std::size_t bytes = 0;
  for (const auto list : lists) bytes += list.size();
  if (bytes >= std::size_t{1} << 28) throw std::length_error("the lists of words have 256 MB or more");
  std::vector<std::vector<std::uint32_t>> having;
  for (std::uint32_t list = 0; list < lists_; ++list) {
    for (std::string_view left = lists[list]; !left.empty();) {
      const auto word = left.substr(0, left.find('\n'));
      left.remove_prefix(std::min(left.size(), word.size() + 1));
      if (word.empty()) continue;
      const auto number = numbers_.insert(key_of(word), static_cast<std::uint32_t>(having.size()));
      if (number == having.size()) having.emplace_back();
      // A word that stands twice in a list counts once.
      if (having[number].empty() || having[number].back() != list) having[number].push_back(list);
      lengths_.add(word);
    }
  }
  starts_.push_back(0);
  for (const auto& found : having) {
    with_.insert(with_.end(), found.begin(), found.end());
    starts_.push_back(static_cast<std::uint32_t>(with_.size()));
  }
}

std::vector<std::uint32_t> ListedWords::counts(std::string_view text) const {
  std::vector<std::uint32_t> found(lists_);
  add(text, found);
  return found;
}

bool ListedWords::add(std::string_view text, std::span<std::uint32_t> found) const {
  bool without_spaces = false;
  const auto letter = [&](char32_t code_point) {
    without_spaces |= unspaced(code_point);
    return (class_of(letter_of(code_point)) & letter_class::of_word) != 0;
  };
  const auto never = [](std::size_t) { return false; };
  each_letter_run(text, letter, never, [&](std::string_view word) {
    if (!lengths_.may_have(word)) return;
    const std::uint32_t number = numbers_.find(key_of(word));
    if (number == KeyTable<std::uint64_t>::kNone) return;
    for (std::uint32_t i = starts_[number]; i < starts_[number + 1]; ++i) ++found[with_[i]];
  });
  return without_spaces;
}

}  // namespace corpusprep
