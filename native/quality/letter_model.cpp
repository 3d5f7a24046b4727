#include "quality/letter_model.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include "common/hash.hpp"
#include "text/letter_runs.hpp"
#include "text/unicode.hpp"
#include "text/unicode_mappings.hpp"

namespace corpusprep {

namespace {

// An n-gram is its letters, 12 bits each, the last one lowest, under a bit that tells its length.
constexpr unsigned kLetterBits = 12;
constexpr std::uint32_t kMostLetters = (1U << kLetterBits) - 2;
constexpr std::uint32_t kEdge = 0, kUnknown = kMostLetters + 1;
constexpr std::size_t kKnownWords = 1 << 16;

constexpr std::uint64_t with_length(std::uint64_t letters, std::size_t length) noexcept {
  const unsigned bits = kLetterBits * static_cast<unsigned>(length);
  return (letters & ((std::uint64_t{1} << bits) - 1)) | std::uint64_t{1} << bits;
}

std::u32string decoded(std::string_view text) {
  std::u32string characters;
  for (std::size_t place = 0; place < text.size();) {
    const auto character = decode_utf8(text, place);
    if (unicode_class(character.code_point) != UnicodeClass::format) characters += character.code_point;
    place += character.length;
  }
  return characters;
}

std::int32_t cost_of(double probability) {
  return static_cast<std::int32_t>(std::lround(-std::log(probability) * LetterModel::kCostUnit));
}

using Counts = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

// Adds up the counts of equal keys.
void gather(Counts& counts) {
  std::ranges::sort(counts);
  std::size_t end = 0;
  for (const auto& [key, count] : counts) {
    if (end > 0 && counts[end - 1].first == key) {
      counts[end - 1].second += count;
    } else {
      counts[end++] = {key, count};
    }
  }
  counts.resize(end);
}

}  // namespace

LetterModel::LetterModel(std::string_view words, std::span<const std::uint32_t> shares) : known_(kKnownWords) {
  std::vector<std::u32string> spelt;
  std::set<char32_t> alphabet;
  for (std::size_t begin = 0; begin < words.size();) {
    const std::size_t end = std::min(words.find('\n', begin), words.size());
    spelt.push_back(decoded(words.substr(begin, end - begin)));
    alphabet.insert(spelt.back().begin(), spelt.back().end());
    begin = end + 1;
  }
  if (spelt.size() != shares.size()) throw std::invalid_argument("not as many words as shares");
  for (const char32_t c : alphabet) {
    if (letters_.size() < kMostLetters) letters_.emplace(c, static_cast<std::uint32_t>(letters_.size()) + 1);
  }
  const double uniform = 1.0 / static_cast<double>(letters_.size() + 2);  // with the edge, and all unknown ones as one
  unknown_ = cost_of(uniform);
  std::vector<Counts> counts(kOrder + 1);
  for (std::size_t i = 0; i < spelt.size(); ++i) {
    std::uint64_t before = kEdge;
    for (std::size_t place = 0; place <= spelt[i].size(); ++place) {
      const std::uint32_t last = place < spelt[i].size() ? letter(spelt[i][place]) : kEdge;
      before = before << kLetterBits | last;
      for (std::size_t length = 1; length <= std::min(kOrder, place + 2); ++length) {
        counts[length].emplace_back(with_length(before, length), shares[i]);
      }
    }
  }
  for (std::unordered_map<std::uint64_t, std::int32_t>* map : {&costs_, &backoffs_}) map->max_load_factor(0.5F);
  const double unit = kSampleWords / 4294967296.0;
  std::unordered_map<std::uint64_t, double> likely;
  backoffs_.emplace(with_length(0, 0), 0);
  for (std::size_t length = 1; length <= kOrder; ++length) {
    gather(counts[length]);
    const Counts& ngrams = counts[length];
    for (std::size_t begin = 0, end = 0; begin < ngrams.size(); begin = end) {
      const std::uint64_t context = ngrams[begin].first >> kLetterBits;
      std::uint64_t sum = 0;
      for (end = begin; end < ngrams.size() && ngrams[end].first >> kLetterBits == context; ++end) {
        sum += ngrams[end].second;
      }
      const auto kinds = static_cast<double>(end - begin);
      const double whole = static_cast<double>(sum) * unit + kinds;
      backoffs_[context] = cost_of(kinds / whole);
      for (std::size_t i = begin; i < end; ++i) {
        const double lower = length == 1 ? uniform : likely.at(with_length(ngrams[i].first, length - 1));
        const double probability = (static_cast<double>(ngrams[i].second) * unit + kinds * lower) / whole;
        likely.emplace(ngrams[i].first, probability);
        costs_.emplace(ngrams[i].first, cost_of(probability));
      }
    }
  }
}

std::uint32_t LetterModel::letter(char32_t c) const noexcept {
  const auto found = letters_.find(c);
  return found == letters_.end() ? kUnknown : found->second;
}

TextSum LetterModel::of_word(std::string_view word) const {
  const std::u32string spelt = casefold(decoded(word));
  if (spelt.empty()) return {};
  TextSum sum{0, static_cast<std::int64_t>(spelt.size()) + 1};
  std::uint64_t before = kEdge;
  for (std::size_t place = 0; place <= spelt.size(); ++place) {
    const std::uint32_t last = place < spelt.size() ? letter(spelt[place]) : kEdge;
    const std::uint64_t after = before << kLetterBits | last;
    for (std::size_t length = std::min(kOrder, place + 2); length > 0; --length) {
      if (const auto found = costs_.find(with_length(after, length)); found != costs_.end()) {
        sum.sum += found->second;
        break;
      }
      const auto longer = backoffs_.find(with_length(before, length - 1));
      if (longer != backoffs_.end()) sum.sum += longer->second;
      if (length == 1) sum.sum += unknown_;
    }
    before = after;
  }
  return sum;
}

TextSum LetterModel::measure(std::string_view text) {
  TextSum sum;
  const auto is_letter = [](char32_t c) {
    const UnicodeClass kind = unicode_class(c);
    return kind == UnicodeClass::letter || kind == UnicodeClass::mark || kind == UnicodeClass::format;
  };
  each_letter_run(
      text, is_letter, [](std::size_t) { return false; },
      [&](std::string_view word) {
        const std::uint64_t key = text_key(word) | 1;
        Known& known = known_[(key >> 1) % kKnownWords];
        if (known.key != key) known = {key, of_word(word)};
        sum.sum += known.cost.sum;
        sum.parts += known.cost.parts;
      });
  return sum;
}

}  // namespace corpusprep
