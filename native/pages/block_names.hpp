// Names and words of blocks: what the two tables of a block model give weights to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "common/prefetch.hpp"
#include "text/ascii_classes.hpp"

namespace corpusprep {

// Hashes of the names of elements (words of class, id, role and item attributes, and tags), and of the words of short
// blocks. Elements without text inside are left out; the others are in document order.
struct BlockNames {
  std::vector<std::int32_t> parents;       // per element; -1 for the root of a page
  std::vector<std::uint8_t> containers;    // per element: 1 for block-level elements, <body> and the root
  std::vector<std::int64_t> name_offsets;  // elements + 1
  std::vector<std::uint32_t> names;        // element e has names[name_offsets[e]:name_offsets[e + 1]]
  std::vector<std::int32_t> leaves;        // per block: the innermost element around its start
  std::vector<std::int64_t> word_offsets;  // blocks + 1
  std::vector<std::uint32_t> words;        // of blocks with up to kShortBlock words; see each_word_group

  BlockNames() : name_offsets{0}, word_offsets{0} {}
  void append(const BlockNames& page);
  void clear();
};

inline constexpr std::size_t kNamesPerElement = 24;
inline constexpr std::uint32_t kShortBlock = 30;  // words; longer blocks have no words in a table

// Attributes whose words are names.
enum class NameSource : std::uint32_t { identifier = 0, role = 0x5BD1E995, item_type = 0x2BD1E995, tag = 0x1B873593 };

// Appends the hashes of the names in an attribute's value: sequences of 2 to 24 letters in lower case, split where a
// capital follows a small letter. At most `room` of them.
void add_names(std::string_view value, NameSource source, std::size_t room, std::vector<std::uint32_t>& names);
std::uint32_t name_hash_of(std::string_view name, NameSource source) noexcept;

// Appends the hash of each word: sequences of letters, marks and digits in lower case; each character of a script
// without spaces is a word; numbers have one hash. `before` bytes in front of the text may be read. `first`: the
// classes of the characters of ASCII that it begins with, if they are known.
void split_words(std::string_view text, std::size_t before, std::vector<std::uint32_t>& words,
                 const AsciiClasses* first = nullptr);

inline std::uint32_t pair_hash(std::uint32_t first, std::uint32_t second) noexcept {
  return ((first * 0x9E3779B1U) ^ second) * 0x85EBCA6BU;
}

// Passes on what a table may know of a block with these words: the words, each pair of neighbours, the first word and
// the last word as such, and the whole of up to four words.
template <class Sink>
void each_word_group(const std::uint32_t* words, std::size_t count, Sink sink) {
  // Second words of pairs that stand for the edges of a block, and the first of its whole text.
  constexpr std::uint32_t kBegin = 1, kEnd = 2, kWhole = 3;
  if (count == 0) return;
  std::uint32_t whole = kWhole;
  for (std::size_t i = 0; i < count; ++i) {
    whole = pair_hash(whole, words[i]);
    sink(words[i]);
    if (i > 0) sink(pair_hash(words[i - 1], words[i]));
  }
  sink(pair_hash(kBegin, words[0]));
  sink(pair_hash(words[count - 1], kEnd));
  if (count <= 4) sink(whole);
}

// A table from hashes to two weights. Immutable.
class WeightTable {
 public:
  struct Weights {
    std::int32_t near = 0, far = 0;
    Weights& operator+=(Weights other) noexcept {
      near += other.near;
      far += other.far;
      return *this;
    }
  };
  WeightTable() : slots_(1), filter_(1) {}
  // `keys` ascend. `weights` has `columns` (1 or 2) values per key, one key after the other.
  WeightTable(const std::uint32_t* keys, const std::int8_t* weights, std::size_t count, std::size_t columns);
  Weights find(std::uint32_t key) const noexcept { return may_have(key) ? find_known(key) : Weights(); }
  // Returns false only for a key that is not in the table.
  bool may_have(std::uint32_t key) const noexcept {
    const std::uint32_t bit = key >> filter_shift_;
    return filter_[bit >> 6] >> (bit & 63) & 1;
  }
  // Brings the line of a key into the cache.
  void fetch(std::uint32_t key) const noexcept { prefetch_line(&slots_[place(key)]); }
  // The same as find, quicker for a key that may be in the table.
  Weights find_known(std::uint32_t key) const noexcept {
    for (std::size_t i = place(key); slots_[i].used; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].key == key) return {slots_[i].near, slots_[i].far};
    }
    return {};
  }

 private:
  struct Slot {
    std::uint32_t key = 0;
    std::int8_t near = 0, far = 0;
    bool used = false;
  };
  std::size_t place(std::uint32_t key) const noexcept { return (key * 0x9E3779B1U) & (slots_.size() - 1); }
  std::vector<Slot> slots_;
  // One bit per hash, at least 16 times as many as keys. Most words of a page are not in a table: this answers from the
  // second-level cache.
  std::vector<std::uint64_t> filter_;
  std::uint32_t filter_shift_ = 26;
};

inline constexpr std::size_t kNameColumns = 10;

// Weights of the words of a block, and how many there are, known to the table or not.
struct WordSum {
  std::int64_t total = 0, count = 0;
  void add(const WeightTable& table, std::uint32_t word) noexcept {
    total += table.find(word).near;
    ++count;
  }
};

// Sums along the chain of elements up to the root: near weights through the first, second and third container; far
// weights of all, and of those beyond the first, second and third container; the lowest and the highest far weight.
struct ChainSums {
  std::int32_t near[3] = {0, 0, 0}, all = 0, beyond[3] = {0, 0, 0}, lowest = 0, highest = 0;
};

// Fills kNameColumns columns of one value per block (0 to 255; 128 is a sum of 0). In order: the whole chain of
// elements (far weights beyond the third container, near weights up to it), near alone, far alone, names of the first,
// second and third container (with the inline elements inside), the lowest and the highest far weight of an element in
// the chain, the sum over the block's words, four times their mean.
//   elements   sums of the weights of each element's names; `names` says how elements and blocks nest
//   words      one per block
//   sums       a buffer
void weight_columns(const BlockNames& names, const std::vector<WeightTable::Weights>& elements,
                    const std::vector<WordSum>& words, std::vector<ChainSums>& sums,
                    std::uint8_t* columns[kNameColumns]);

// The same from the names and word groups themselves.
void name_columns(const BlockNames& names, const WeightTable& name_weights, const WeightTable& word_weights,
                  std::uint8_t* columns[kNameColumns]);

}  // namespace corpusprep
