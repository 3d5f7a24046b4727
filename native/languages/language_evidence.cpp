#include "languages/language_evidence.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

namespace corpusprep {

namespace {

// Trigrams of a word overlap and depend on each other: together they count half.
constexpr int kTrigramShift = 1;
// The trigrams of a word that is in a list count 5/16.
constexpr std::int32_t kBesideWord = 5;
constexpr int kBesideWordShift = 4;

bool is_latin(char32_t letter) noexcept { return letter < 0x250 || (letter >= 0x1E00 && letter < 0x1F00); }

}  // namespace

LanguageEvidence::LanguageEvidence(std::span<const TrigramLogs> trigrams, const WordNumbers& words,
                                   std::span<const std::span<const std::int32_t>> word_logs,
                                   std::span<const std::int32_t> lowest, EvidenceLimits limits)
    : languages_(word_logs.size()),
      words_(words),
      lowest_(lowest.begin(), lowest.end()),
      limits_(limits),
      starts_(words.size() + 1) {
  const auto in_range = [](std::int32_t value) { return value <= 0 && value >= -kMost; };
  if (lowest.size() != 2 * languages_) throw std::runtime_error("there must be two limits per language");
  const std::array given = {limits.trigram_floor, limits.trigram_lowest, limits.word_floor};
  if (!std::ranges::all_of(lowest, in_range) || !std::ranges::all_of(given, in_range))
    throw std::runtime_error("a limit is out of range");
  for (const auto& spelling : trigrams) {
    if (spelling.keys.size() != spelling.logs.size() || spelling.language >= languages_ ||
        !std::ranges::all_of(spelling.logs, in_range))
      throw std::runtime_error("the logarithms are not those of the trigrams");
    for (std::size_t i = 0; i < spelling.keys.size(); ++i) {
      const std::size_t row = rows_.insert(spelling.keys[i], static_cast<std::uint32_t>(rows_.size()));
      trigrams_.resize(rows_.size() * languages_, limits_.trigram_floor);
      auto& value = trigrams_[row * languages_ + spelling.language];
      value = std::max(value, spelling.logs[i]);
    }
  }
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const std::span<std::int32_t> values(trigrams_.data() + row * languages_, languages_);
    const auto most = std::ranges::max(values);
    for (auto& value : values) value = std::max(value - most, limits_.trigram_lowest);
  }
  for (std::size_t language = 0; language < languages_; ++language) {
    const auto numbers = words.numbers(language);
    if (numbers.size() != word_logs[language].size() || !std::ranges::all_of(word_logs[language], in_range))
      throw std::runtime_error("the logarithms are not those of the words");
    for (const auto number : numbers) ++starts_[number + 1];
  }
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  entries_.resize(starts_.back());
  auto next = starts_;
  for (std::size_t language = 0; language < languages_; ++language) {
    const auto numbers = words.numbers(language);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      entries_[next[numbers[i]]++] = {static_cast<std::uint32_t>(language), word_logs[language][i]};
  }
}

const std::int32_t* LanguageEvidence::find(std::uint64_t trigram) const noexcept {
  const auto row = rows_.find(trigram);
  return row == KeyTable<std::uint64_t>::kNone ? nullptr : trigrams_.data() + row * languages_;
}

// Subtracts the highest value from all of them; none is below its limit then.
void LanguageEvidence::limit(std::int32_t* evidence, const std::int32_t* lowest) const noexcept {
  const std::span<std::int32_t> values(evidence, languages_);
  if (values.empty()) return;
  const auto most = std::ranges::max(values);
  for (std::size_t i = 0; i < languages_; ++i) values[i] = std::max(values[i] - most, lowest[i]);
}

void LanguageEvidence::of_syllable(char32_t syllable, std::int32_t* evidence) const noexcept {
  if (const auto* values = find(trigram_key(kWordEdge, syllable, kWordEdge))) {
    std::copy_n(values, languages_, evidence);
  } else {
    std::fill_n(evidence, languages_, 0);
  }
}

void LanguageEvidence::of_word(std::span<const char32_t> word, std::int32_t* evidence) const noexcept {
  const auto* lowest = lowest_.data() + (is_latin(word[0]) ? languages_ : 0);
  std::fill_n(evidence, languages_, 0);
  for (std::size_t i = 0; i < word.size(); ++i) {
    const auto* values =
        find(trigram_key(i > 0 ? word[i - 1] : kWordEdge, word[i], i + 1 < word.size() ? word[i + 1] : kWordEdge));
    for (std::size_t k = 0; values && k < languages_; ++k) evidence[k] += values[k];
  }
  for (std::size_t k = 0; k < languages_; ++k) evidence[k] >>= kTrigramShift;
  limit(evidence, lowest);
  const auto number = words_.find(WordNumbers::key_of(word));
  if (number == WordNumbers::kNone) return;
  const std::span<const Entry> entries(entries_.data() + starts_[number], starts_[number + 1] - starts_[number]);
  auto most = limits_.word_floor;
  for (const auto& entry : entries) most = std::max(most, entry.log);
  for (std::size_t k = 0; k < languages_; ++k)
    evidence[k] = (evidence[k] * kBesideWord >> kBesideWordShift) + std::max(limits_.word_floor - most, lowest[k]);
  for (const auto& entry : entries) {
    const auto k = entry.language;
    const auto missing = std::max(limits_.word_floor - most, lowest[k]);
    evidence[k] += std::max(std::max(entry.log, limits_.word_floor) - most, lowest[k]) - missing;
  }
}

}  // namespace corpusprep
