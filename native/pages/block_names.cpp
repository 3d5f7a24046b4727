#include "pages/block_names.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "common/hash.hpp"
#include "pages/feature_characters.hpp"
#include "text/ascii_classes.hpp"
#include "text/unicode.hpp"

namespace corpusprep {

namespace {

constexpr std::uint32_t kHashStart = 2166136261U, kHashFactor = 16777619U;  // FNV-1a

bool ascii_capital(unsigned char c) noexcept { return c >= 'A' && c <= 'Z'; }
bool ascii_small(unsigned char c) noexcept { return c >= 'a' && c <= 'z'; }

// Letters of names in lower case: of ASCII, and all bytes beyond it; 0 for other characters.
constexpr auto kNameLetters = [] {
  std::array<std::uint8_t, 256> letters{};
  for (std::size_t c = 'a'; c <= 'z'; ++c) letters[c] = letters[c - 32] = static_cast<std::uint8_t>(c);
  for (std::size_t c = 0x80; c < letters.size(); ++c) letters[c] = static_cast<std::uint8_t>(c);
  return letters;
}();

// Letters in lower case and digits of ASCII; 0 for other characters.
constexpr auto kWordCharacters = [] {
  std::array<std::uint8_t, 256> characters{};
  for (std::size_t c = '0'; c <= '9'; ++c) characters[c] = static_cast<std::uint8_t>(c);
  for (std::size_t c = 'a'; c <= 'z'; ++c) characters[c] = characters[c - 32] = static_cast<std::uint8_t>(c);
  return characters;
}();

constexpr std::uint32_t kNumber = 4;  // the hash of every number; each_word_group uses 1 to 3

std::uint8_t weight_column(std::int32_t sum) noexcept {
  return static_cast<std::uint8_t>(std::clamp(sum, -128, 127) + 128);
}

}  // namespace

void BlockNames::append(const BlockNames& page) {
  const auto first_element = static_cast<std::int32_t>(parents.size());
  const auto first_name = static_cast<std::int64_t>(names.size()), first_word = static_cast<std::int64_t>(words.size());
  for (const auto parent : page.parents) parents.push_back(parent < 0 ? -1 : parent + first_element);
  for (const auto leaf : page.leaves) leaves.push_back(leaf + first_element);
  for (std::size_t i = 1; i < page.name_offsets.size(); ++i) name_offsets.push_back(page.name_offsets[i] + first_name);
  for (std::size_t i = 1; i < page.word_offsets.size(); ++i) word_offsets.push_back(page.word_offsets[i] + first_word);
  containers.insert(containers.end(), page.containers.begin(), page.containers.end());
  names.insert(names.end(), page.names.begin(), page.names.end());
  words.insert(words.end(), page.words.begin(), page.words.end());
}

void BlockNames::clear() {
  parents.clear();
  containers.clear();
  name_offsets.assign(1, 0);
  names.clear();
  leaves.clear();
  word_offsets.assign(1, 0);
  words.clear();
}

std::uint32_t name_hash_of(std::string_view name, NameSource source) noexcept {
  std::uint32_t hash = kHashStart ^ static_cast<std::uint32_t>(source);
  for (const char letter : name) {
    auto byte = static_cast<unsigned char>(letter);
    if (ascii_capital(byte)) byte = static_cast<unsigned char>(byte + 32);
    hash = (hash ^ byte) * kHashFactor;
  }
  return hash;
}

void add_names(std::string_view value, NameSource source, std::size_t room, std::vector<std::uint32_t>& names) {
  const auto letter_at = [&](std::size_t i) { return kNameLetters[static_cast<unsigned char>(value[i])]; };
  for (std::size_t i = 0; i < value.size() && room > 0;) {
    if (!letter_at(i)) {
      ++i;
      continue;
    }
    const std::size_t start = i;
    std::uint32_t hash = kHashStart ^ static_cast<std::uint32_t>(source);
    for (; i < value.size(); ++i) {
      const auto small = letter_at(i);
      const bool hump = i - start > 1 && ascii_capital(static_cast<unsigned char>(value[i])) &&
                        ascii_small(static_cast<unsigned char>(value[i - 1]));
      if (!small || hump) break;
      hash = (hash ^ small) * kHashFactor;
    }
    if (i - start >= 2 && i - start <= 24) {
      names.push_back(hash);
      --room;
    }
  }
}

namespace {

// Returns the hash of a word of letters and digits of ASCII, whatever their case; `room` is what may be read from its
// start on.
std::uint32_t ascii_word_hash(const char* word, std::size_t size, std::size_t room) noexcept {
  constexpr std::uint64_t kSmall = 0x2020202020202020ULL, kLetters = 0x4040404040404040ULL;
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ULL;
  std::uint64_t hash = 0, all = 0;
  const auto add = [&](std::uint64_t bytes) {
    all |= bytes;
    hash = (hash ^ bytes) * kFactor;
    hash ^= hash >> 32;
  };
  for (; size > 8; word += 8, size -= 8, room -= 8) add(detail::load_little_endian<std::uint64_t>(word) | kSmall);
  const std::uint64_t last = room >= 8 ? detail::load_little_endian<std::uint64_t>(word) : detail::load_few(word, size);
  add((last | kSmall) & (size < 8 ? (std::uint64_t{1} << 8 * size) - 1 : ~std::uint64_t{0}));
  return all & kLetters ? static_cast<std::uint32_t>(hash) : kNumber;
}

// Passes over one character beyond ASCII, or over a word with one or with 64 characters or more; returns where it ends.
std::size_t split_word(std::string_view text, std::size_t start, std::vector<std::uint32_t>& words) {
  std::uint32_t hash = kHashStart;
  bool inside = false, number = true, beyond = false;
  std::size_t i = start;
  while (i < text.size()) {
    const auto decoded = decode_utf8(text, i);
    const char32_t c = decoded.code_point;
    const auto ascii = c < 0x80 ? kWordCharacters[c] : std::uint8_t{0};
    const auto [to_small, mark, alone] = c < 0x80 ? FeatureCharacter{} : feature_character(c);
    const bool letter = mark == kCapital || mark == kSmall || (ascii & 0x40U);
    if ((!letter && mark != kDigit && !ascii) || (alone && inside)) break;
    i += decoded.length;
    inside = true;
    beyond |= c >= 0x80;
    number = number && !letter;
    hash = (hash ^ (ascii ? ascii : c + to_small)) * kHashFactor;
    if (alone) break;
  }
  if (!inside) return i + decode_utf8(text, i).length;
  const bool short_ascii = !beyond && i - start < kMostClasses;
  words.push_back(short_ascii ? ascii_word_hash(text.data() + start, i - start, text.size() - start)
                  : number    ? kNumber
                              : hash);
  return i;
}

template <auto kClasses>
void split_by(std::string_view text, std::size_t before, std::vector<std::uint32_t>& words, const AsciiClasses* first) {
  for (std::size_t i = 0; i < text.size();) {
    const auto classes = i == 0 && first ? *first : kClasses(text.data() + i, text.size() - i, before + i);
    const bool ends = i + classes.size == text.size();
    std::uint64_t known = classes.letters | classes.digits;
    std::size_t next = i + classes.size;
    while (known) {
      const auto start = static_cast<std::size_t>(std::countr_zero(known));
      const auto size = static_cast<std::size_t>(std::countr_one(known >> start));
      if (start + size == classes.size && (!ends || size == kMostClasses)) {  // it may go on
        next = i + start;
        if (start == 0) next = split_word(text, next, words);
        break;
      }
      words.push_back(ascii_word_hash(text.data() + i + start, size, text.size() - i - start));
      known &= known + (std::uint64_t{1} << start);
    }
    i = next > i ? next : split_word(text, i, words);
  }
}

#if defined(__x86_64__)
// The same code with instructions that classify 32 characters and find bits, which most processors have.
[[gnu::target("avx2,popcnt,bmi,bmi2"), gnu::flatten]] void split_widely(std::string_view text, std::size_t before,
                                                                        std::vector<std::uint32_t>& words,
                                                                        const AsciiClasses* first) {
  split_by<wide_ascii_classes>(text, before, words, first);
}
#endif

}  // namespace

void split_words(std::string_view text, std::size_t before, std::vector<std::uint32_t>& words,
                 const AsciiClasses* first) {
#if defined(__x86_64__)
  if (has_wide_classes()) return split_widely(text, before, words, first);
#endif
  split_by<ascii_classes>(text, before, words, first);
}

WeightTable::WeightTable(const std::uint32_t* keys, const std::int8_t* weights, std::size_t count,
                         std::size_t columns) {
  slots_.resize(std::bit_ceil(2 * count + 2));
  const std::size_t bits = std::max<std::size_t>(64, std::bit_ceil(16 * count));
  filter_.resize(bits / 64);
  filter_shift_ = 32 - static_cast<std::uint32_t>(std::countr_zero(bits));
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t i = place(keys[k]);
    while (slots_[i].used) i = (i + 1) & (slots_.size() - 1);
    const std::uint32_t bit = keys[k] >> filter_shift_;
    filter_[bit >> 6] |= std::uint64_t{1} << (bit & 63);
    slots_[i] = {keys[k], weights[k * columns], columns > 1 ? weights[k * columns + 1] : std::int8_t{0}, true};
  }
}

void weight_columns(const BlockNames& names, const std::vector<WeightTable::Weights>& elements,
                    const std::vector<WordSum>& words, std::vector<ChainSums>& sums,
                    std::uint8_t* columns[kNameColumns]) {
  sums.resize(std::max(sums.size(), elements.size()));
  constexpr std::int32_t kLimit = 1 << 24;  // keeps sums of chains in range
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const auto [near, far] = elements[e];
    const ChainSums none;
    const ChainSums& outer = names.parents[e] < 0 ? none : sums[static_cast<std::size_t>(names.parents[e])];
    ChainSums& own = sums[e];
    if (names.containers[e]) {
      own.near[0] = near;
      own.near[1] = near + outer.near[0];
      own.near[2] = near + outer.near[1];
      own.beyond[0] = outer.all;
      own.beyond[1] = outer.beyond[0];
      own.beyond[2] = outer.beyond[1];
    } else {
      for (int k = 0; k < 3; ++k) {
        own.near[k] = std::clamp(near + outer.near[k], -kLimit, kLimit);
        own.beyond[k] = outer.beyond[k];
      }
    }
    own.all = std::clamp(far + outer.all, -kLimit, kLimit);
    own.lowest = std::min(far, outer.lowest);
    own.highest = std::max(far, outer.highest);
  }
  // Bytes may alias anything: without __restrict, all that is read is loaded again for each column.
  const auto put = [blocks = names.leaves.size()](std::uint8_t* __restrict column, auto value) {
    for (std::size_t b = 0; b < blocks; ++b) column[b] = weight_column(value(b));
  };
  const auto chain = [all = sums.data(), leaves = names.leaves.data()](std::size_t b) -> const ChainSums& {
    return all[static_cast<std::size_t>(leaves[b])];
  };
  const auto of_chain = [&](std::uint8_t* column, auto value) {
    put(column, [chain, value](std::size_t b) { return value(chain(b)); });
  };
  of_chain(columns[0], [](const ChainSums& c) { return c.near[2] + c.beyond[2]; });
  of_chain(columns[1], [](const ChainSums& c) { return c.near[2]; });
  of_chain(columns[2], [](const ChainSums& c) { return c.beyond[2]; });
  of_chain(columns[3], [](const ChainSums& c) { return c.near[0]; });
  of_chain(columns[4], [](const ChainSums& c) { return c.near[1] - c.near[0]; });
  of_chain(columns[5], [](const ChainSums& c) { return c.near[2] - c.near[1]; });
  of_chain(columns[6], [](const ChainSums& c) { return c.lowest; });
  of_chain(columns[7], [](const ChainSums& c) { return c.highest; });
  put(columns[8], [own = words.data()](std::size_t b) { return static_cast<std::int32_t>(own[b].total); });
  put(columns[9], [own = words.data()](std::size_t b) {
    const auto [total, count] = own[b];
    return static_cast<std::int32_t>(count ? 4 * total / count : 0);
  });
}

void name_columns(const BlockNames& names, const WeightTable& name_weights, const WeightTable& word_weights,
                  std::uint8_t* columns[kNameColumns]) {
  std::vector<WeightTable::Weights> elements(names.parents.size());
  for (std::size_t e = 0; e < elements.size(); ++e) {
    for (auto k = names.name_offsets[e]; k < names.name_offsets[e + 1]; ++k) {
      elements[e] += name_weights.find(names.names[static_cast<std::size_t>(k)]);
    }
  }
  std::vector<WordSum> words(names.leaves.size());
  for (std::size_t b = 0; b < words.size(); ++b) {
    for (auto k = names.word_offsets[b]; k < names.word_offsets[b + 1]; ++k) {
      words[b].add(word_weights, names.words[static_cast<std::size_t>(k)]);
    }
  }
  std::vector<ChainSums> sums;
  weight_columns(names, elements, words, sums, columns);
}

}  // namespace corpusprep
