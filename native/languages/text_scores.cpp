#include "languages/text_scores.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "common/prefetch.hpp"

namespace corpusprep {

namespace {

// The bits of a word's groups of four characters that are its own, by its length.
template <std::size_t longest>
constexpr auto kOwnBits = [] {
  std::array<std::array<std::uint64_t, longest / 4>, longest + 1> masks{};
  for (std::size_t length = 0; length < masks.size(); ++length) {
    for (std::size_t i = 0; i < length; ++i) {
      const auto place = std::endian::native == std::endian::little ? i % 4 : 3 - i % 4;
      masks[length][i / 4] |= std::uint64_t{0xFFFF} << 16 * place;
    }
  }
  return masks;
}();

}  // namespace

// A word of letters, and the slot where its sums may be kept.
struct TextScorer::Sought {
  Kept key;
  const std::uint16_t* word;
  std::size_t length, slot;

  std::uint64_t trigram(std::size_t middle) const noexcept {
    return trigram_key(middle > 0 ? word[middle - 1] : kWordEdge, word[middle],
                       middle + 1 < length ? word[middle + 1] : kWordEdge);
  }
  // The key of the word in WordNumbers.
  std::uint64_t word_key() const noexcept {
    std::array<char32_t, kLongestKept> codes;
    std::copy_n(word, length, codes.begin());
    return WordNumbers::key_of({codes.data(), length});
  }
};

// A piece of a text, folded: 0 for characters outside words; the places where words begin and end alternate in `edges`.
struct TextScorer::Folded {
  std::array<std::uint16_t, kPiece + kLongestKept> codes;
  std::array<std::uint16_t, kPiece + 2> edges;
  std::size_t edge_count;
};

TextScorer::TextScorer(const TrigramTable& trigrams, const WordNumbers& words, std::size_t columns,
                       const CaseFolding& folding)
    : trigrams_(trigrams),
      words_(words),
      folding_(folding),
      models_(trigrams.models()),
      columns_(columns),
      row_((models_ + columns_ + 15) / 16),
      longest_kept_(trigrams.largest() <= kMostKept / kLongestKept ? kLongestKept : 0),
      keys_(std::size_t{1} << kSlotBits),
      rows_(row_ << kSlotBits) {}

TextScorer::TextScorer(const TrigramTable& trigrams, const WordNumbers& words,
                       std::span<const std::int32_t> word_weights, std::size_t columns, const CaseFolding& folding)
    : TextScorer(trigrams, words, columns, folding) {
  if (word_weights.size() != words.size() * columns)
    throw std::runtime_error("the number of weights is not that of the words");
  const auto in_range = [](std::int32_t weight) { return weight > -kMostKept && weight < kMostKept; };
  if (!std::ranges::all_of(word_weights, in_range)) longest_kept_ = 0;
  word_weights_.assign(word_weights.begin(), word_weights.end());
}

TextScorer::TextScorer(const TrigramTable& trigrams, const WordNumbers& words, const LanguageEvidence& evidence,
                       const CaseFolding& folding)
    : TextScorer(trigrams, words, evidence.languages(), folding) {
  evidence_ = &evidence;
}

// Returns the weights of a word by its number, columns_ of them; null if it has none.
const std::int32_t* TextScorer::weights_of(std::uint32_t number) const noexcept {
  return number == WordNumbers::kNone ? nullptr : word_weights_.data() + number * columns_;
}

TextSums TextScorer::zeros() const {
  return {0, 0, std::vector<std::uint64_t>(models_), std::vector<std::int64_t>(columns_)};
}

// Adds the evidence of a sequence of word characters of any class. The first kLongest characters of a word count.
template <class Unit, class Classified>
void TextScorer::add_evidence(std::span<const Unit> run, Classified classified, TextSums& sums) const {
  std::vector<std::int32_t> evidence(columns_);
  std::array<char32_t, WordNumbers::kLongest> word;
  std::size_t length = 0;
  const auto add = [&] {
    for (std::size_t column = 0; column < columns_; ++column) sums.of_words[column] += evidence[column];
  };
  const auto end_word = [&] {
    if (length == 0) return;
    evidence_->of_word({word.data(), std::min(std::exchange(length, 0), word.size())}, evidence.data());
    add();
  };
  for (const Unit unit : run) {
    const Letter letter = classified(unit);
    if (class_of(letter) & letter_class::joined) {
      if (length < word.size()) word[length] = code_of(letter);
      ++length;
      continue;
    }
    end_word();
    if (!(class_of(letter) & letter_class::syllable)) continue;
    evidence_->of_syllable(code_of(letter), evidence.data());
    add();
  }
  end_word();
}

// Adds a sequence of word characters of any class and length.
template <class Unit, class Classified>
void TextScorer::add_run(std::span<const Unit> run, Classified classified, TextSums& sums) const {
  if (evidence_) add_evidence(run, classified, sums);
  std::array<char32_t, WordNumbers::kLongest> word;
  std::size_t length = 0;
  const auto end_word = [&] {
    if (length == 0) return;
    ++sums.words;
    const auto size = std::exchange(length, 0);
    if (size > word.size() || (evidence_ && !sums.keys)) return;
    const auto key = WordNumbers::key_of({word.data(), size});
    if (sums.keys) sums.keys->push_back(key);
    if (evidence_) return;
    const auto* weights = weights_of(words_.find(key));
    for (std::size_t column = 0; weights && column < columns_; ++column) sums.of_words[column] += weights[column];
  };
  std::uint64_t left = kWordEdge;
  for (std::size_t i = 0; i < run.size(); ++i) {
    const Letter letter = classified(run[i]);
    const auto code = code_of(letter);
    const auto classes = class_of(letter);
    if (classes & letter_class::of_word) {
      if (length < word.size()) word[length] = code;
      ++length;
    } else {
      end_word();
    }
    const auto before = left;
    left = kWordEdge;
    std::uint64_t right = kWordEdge;
    if (classes & letter_class::joined) {
      left = code;
      const Letter next = i + 1 < run.size() ? classified(run[i + 1]) : 0;
      if (class_of(next) & letter_class::joined) right = code_of(next);
    } else if (!(classes & letter_class::syllable)) {
      continue;
    }
    ++sums.trigrams;
    const auto* weights = trigrams_.find(trigram_key(classes & letter_class::joined ? before : kWordEdge, code, right));
    for (std::size_t model = 0; weights && model < models_; ++model) sums.of_trigrams[model] += weights[model];
  }
  end_word();
}

// Computes the sums of a word of letters: models_ sums, then columns_ sums.
void TextScorer::fill(const Sought& word, Line* lines) const noexcept {
  std::fill_n(lines, row_, Line{});
  auto* row = values(lines);
  for (std::size_t i = 0; i < word.length; ++i) {
    const auto* weights = trigrams_.find(word.trigram(i));
    if (weights == nullptr) continue;
    for (std::size_t model = 0; model < models_; ++model) row[model] += static_cast<std::int32_t>(weights[model]);
  }
  if (evidence_) {
    std::array<char32_t, kLongestKept> codes;
    std::copy_n(word.word, word.length, codes.begin());
    evidence_->of_word({codes.data(), word.length}, row + models_);
  } else if (const auto* weights = weights_of(words_.find(word.word_key()))) {
    std::copy_n(weights, columns_, row + models_);
  }
}

// Fills `found` in place: a copy of groups that were just written, in other sizes, would wait for them.
void TextScorer::seek(const std::uint16_t* word, std::size_t length, Sought& found) const noexcept {
  constexpr auto& masks = kOwnBits<kLongestKept>;
  constexpr std::array<std::uint64_t, kLongestKept / 4> factors = {0x9E3779B97F4A7C15ULL, 0xBF58476D1CE4E5B9ULL,
                                                                   0x94D049BB133111EBULL, 0x2545F4914F6CDD1DULL};
  found.word = word;
  found.length = length;
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    std::uint64_t group;
    std::memcpy(&group, word + 4 * i, sizeof group);
    group &= masks[length][i];
    found.key.groups[i] = group;
    hash += group * factors[i];
  }
  found.slot = hash >> (64 - kSlotBits);
  prefetch_line(&keys_[found.slot]);
  for (std::size_t i = 0; i < row_; ++i) prefetch_line(&rows_[found.slot * row_ + i]);
}

// Adds the rows of words to `lines`, each line of sums in registers.
void TextScorer::add_rows(std::span<const Sought> words, Line* lines) const noexcept {
  for (std::size_t line = 0; line < row_; ++line) {
    Line sums = lines[line];
    for (const auto& word : words) {
      const auto& row = rows_[word.slot * row_ + line].sums;
      for (std::size_t k = 0; k < row.size(); ++k) sums.sums[k] += row[k];
    }
    lines[line] = sums;
  }
}

void TextScorer::add_words(const Folded& folded, TextSums& sums) {
  const auto letter = [](std::uint16_t code) { return Letter{code} | letter_class::letter << kClassShift; };
  if (sums.keys && word_keys_.empty()) {
    word_keys_.resize(keys_.size());
    // What is kept was kept without keys.
    std::ranges::fill(keys_, Kept{});
  }
  std::array<Sought, kWordsTogether> batch;
  std::vector<Line> lines(row_);
  auto* together = values(lines.data());
  for (std::size_t edge = 0; edge < folded.edge_count;) {
    const std::size_t end = std::min(folded.edge_count, edge + 2 * kWordsTogether);
    std::size_t count = 0;
    for (; edge < end; edge += 2) {
      const auto* word = folded.codes.data() + folded.edges[edge];
      const std::size_t length = folded.edges[edge + 1] - folded.edges[edge];
      if (length > longest_kept_) {
        add_run(std::span<const std::uint16_t>(word, length), letter, sums);
      } else {
        seek(word, length, batch[count++]);
      }
    }
    // By now all rows have been requested from memory.
    std::ranges::fill(lines, Line{});
    std::size_t added = 0;  // words whose rows are in `lines`: all before a row that is replaced
    for (std::size_t i = 0; i < count; ++i) {
      const auto& word = batch[i];
      if (!keys_[word.slot].is(word.key)) {
        add_rows({batch.data() + added, i - added}, lines.data());
        added = i;
        fill(word, rows_.data() + word.slot * row_);
        keys_[word.slot] = word.key;
        if (!word_keys_.empty()) word_keys_[word.slot] = word.word_key();
      }
      if (sums.keys) sums.keys->push_back(word_keys_[word.slot]);
      sums.trigrams += word.length;
      ++sums.words;
    }
    add_rows({batch.data() + added, count - added}, lines.data());
    for (std::size_t model = 0; model < models_; ++model) sums.of_trigrams[model] += together[model];
    for (std::size_t column = 0; column < columns_; ++column) sums.of_words[column] += together[models_ + column];
  }
}

template <class Unit, class Classified>
bool TextScorer::walk(std::span<const Unit> text, Classified classified, TextSums& sums) {
  Folded folded;
  std::fill(folded.codes.end() - kLongestKept, folded.codes.end(), 0);
  while (!text.empty()) {
    const std::size_t size = std::min(text.size(), kPiece);
    std::size_t edges = 0;
    Letter all = 0;
    bool inside = false;
    // There is no branch on characters, because the ends of words are unpredictable.
    for (std::size_t i = 0; i < size; ++i) {
      const Letter letter = classified(text[i]);
      const bool in_word = letter != 0;
      all |= letter;
      folded.codes[i] = static_cast<std::uint16_t>(letter);
      folded.edges[edges] = static_cast<std::uint16_t>(i);
      edges += in_word != inside;
      inside = in_word;
    }
    if (class_of(all) & letter_class::unknown) return false;
    bool special = class_of(all) & letter_class::special;
    // The piece ends before its last word, which may continue in the next piece, unless the word is as long as the
    // piece.
    std::size_t used = size;
    if (inside && size < text.size() && folded.edges[edges - 1] > 0) {
      used = folded.edges[--edges];
      inside = false;
    }
    if (inside && size < text.size()) {
      while (used < text.size()) {
        const Letter letter = classified(text[used]);
        if (letter == CaseFolding::kUnknown) return false;
        if (letter == 0) break;
        ++used;
      }
      special = true;
    }
    if (!special) {
      if (inside) folded.edges[edges++] = static_cast<std::uint16_t>(size);
      folded.edge_count = edges;
      add_words(folded, sums);
    } else {
      for (std::size_t i = 0; i < used;) {
        const std::size_t start = i;
        while (i < used && classified(text[i]) != 0) ++i;
        if (i != start) add_run(text.subspan(start, i - start), classified, sums);
        ++i;
      }
    }
    text = text.subspan(used);
  }
  return true;
}

template <class Unit>
bool TextScorer::add(std::span<const Unit> text, bool reduced, TextSums& sums) {
  if (reduced) return walk(text, [this](Unit unit) { return folding_.kept(unit); }, sums);
  TextSums found = sums;
  const std::size_t before = sums.keys ? sums.keys->size() : 0;
  if (!walk(text, [this](Unit unit) { return folding_.folded(unit); }, found)) {
    if (sums.keys) sums.keys->resize(before);
    return false;
  }
  sums = std::move(found);
  return true;
}

template bool TextScorer::add(std::span<const std::uint8_t>, bool, TextSums&);
template bool TextScorer::add(std::span<const std::uint16_t>, bool, TextSums&);
template bool TextScorer::add(std::span<const std::uint32_t>, bool, TextSums&);

}  // namespace corpusprep
