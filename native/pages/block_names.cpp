#include "pages/block_names.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "pages/feature_characters.hpp"
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

void split_words(std::string_view text, std::vector<std::uint32_t>& words) {
  std::uint32_t hash = kHashStart;
  bool inside = false, number = true;
  const auto end_word = [&] {
    const std::uint32_t word = number ? kNumber : hash;  // a copy: the hash itself stays in a register
    if (inside) words.push_back(word);
    hash = kHashStart;
    inside = false;
    number = true;
  };
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) {
      const std::size_t start = i;
      unsigned all = 0;
      for (; i < text.size(); ++i) {
        const std::uint8_t small = kWordCharacters[static_cast<unsigned char>(text[i])];
        if (!small) break;
        all |= small;
        hash = (hash ^ small) * kHashFactor;
      }
      inside |= i > start;
      number &= (all & 0x40U) == 0;  // letters have this bit, digits have not
      if (i == text.size() || static_cast<unsigned char>(text[i]) >= 0x80) continue;
      end_word();
      ++i;
      continue;
    }
    const auto decoded = decode_utf8(text, i);
    i += decoded.length;
    const auto [to_small, mark, alone] = feature_character(decoded.code_point);
    const bool letter = mark == kCapital || mark == kSmall;
    if (!letter && mark != kDigit) {
      end_word();
      continue;
    }
    if (alone) end_word();
    inside = true;
    number = number && !letter;
    hash = (hash ^ (decoded.code_point + to_small)) * kHashFactor;
    if (alone) end_word();
  }
  end_word();
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
    const std::uint32_t bit = (keys[k] * 0x85EBCA6BU) >> filter_shift_;
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
