#include "quality/letter_model.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include "common/hash.hpp"
#include "common/radix_sort.hpp"
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

std::uint32_t cost_of(double probability) {
  return static_cast<std::uint32_t>(std::lround(-std::log(probability) * LetterModel::kCostUnit));
}

struct Counted {
  std::uint64_t key, count;
};

// Sorts n-grams of a length, and adds up the counts of equal ones.
void gather(std::vector<Counted>& counts, std::size_t length) {
  radix_sort(counts.data(), counts.size(), kLetterBits * static_cast<unsigned>(length));
  std::size_t end = 0;
  for (const Counted ngram : counts) {
    if (end > 0 && counts[end - 1].key == ngram.key) {
      counts[end - 1].count += ngram.count;
    } else {
      counts[end++] = ngram;
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
  std::vector<std::vector<Counted>> counts(kOrder + 1);
  for (std::size_t i = 0; i < spelt.size(); ++i) {
    std::uint64_t before = kEdge;
    for (std::size_t place = 0; place <= spelt[i].size(); ++place) {
      const std::uint32_t last = place < spelt[i].size() ? letter(spelt[i][place]) : kEdge;
      before = before << kLetterBits | last;
      for (std::size_t length = 1; length <= std::min(kOrder, place + 2); ++length) {
        counts[length].push_back({with_length(before, length), shares[i]});
      }
    }
  }
  const double unit = kSampleWords / 4294967296.0;
  KeyTable<std::uint64_t> shorter, places;  // n-grams to their places in:
  std::vector<double> likely_shorter, likely;
  for (std::size_t length = 1; length <= kOrder; ++length) {
    gather(counts[length], length);
    const std::vector<Counted>& ngrams = counts[length];
    costs_.reserve(costs_.size() + ngrams.size());
    places = KeyTable<std::uint64_t>();
    places.reserve(ngrams.size());
    likely.clear();
    for (std::size_t begin = 0, end = 0; begin < ngrams.size(); begin = end) {
      const std::uint64_t context = ngrams[begin].key >> kLetterBits;
      std::uint64_t sum = 0;
      for (end = begin; end < ngrams.size() && ngrams[end].key >> kLetterBits == context; ++end) {
        sum += ngrams[end].count;
      }
      const auto kinds = static_cast<double>(end - begin);
      const double whole = static_cast<double>(sum) * unit + kinds;
      backoffs_.insert(context, cost_of(kinds / whole));
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint64_t ngram = ngrams[i].key;
        const double lower = length == 1 ? uniform : likely_shorter[shorter.find(with_length(ngram, length - 1))];
        const double probability = (static_cast<double>(ngrams[i].count) * unit + kinds * lower) / whole;
        places.insert(ngram, static_cast<std::uint32_t>(likely.size()));
        likely.push_back(probability);
        costs_.insert(ngram, cost_of(probability));
      }
    }
    std::swap(shorter, places);
    std::swap(likely_shorter, likely);
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
      if (const std::uint32_t cost = costs_.find(with_length(after, length)); cost != costs_.kNone) {
        sum.sum += cost;
        break;
      }
      const std::uint32_t longer = backoffs_.find(with_length(before, length - 1));
      if (longer != backoffs_.kNone) sum.sum += longer;
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
