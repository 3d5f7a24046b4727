#include "pages/block_names.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "text/unicode.hpp"

namespace corpusprep {

namespace {

constexpr std::uint32_t kHashStart = 2166136261U, kHashFactor = 16777619U;  // FNV-1a

bool name_letter(unsigned char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80; }
bool ascii_capital(unsigned char c) noexcept { return c >= 'A' && c <= 'Z'; }
bool ascii_small(unsigned char c) noexcept { return c >= 'a' && c <= 'z'; }

// Letters in lower case and digits of ASCII; 0 for other characters.
constexpr auto kWordCharacters = [] {
  std::array<std::uint8_t, 128> characters{};
  for (std::size_t c = '0'; c <= '9'; ++c) characters[c] = static_cast<std::uint8_t>(c);
  for (std::size_t c = 'a'; c <= 'z'; ++c) characters[c] = characters[c - 32] = static_cast<std::uint8_t>(c);
  return characters;
}();

std::uint32_t pair_hash(std::uint32_t first, std::uint32_t second) noexcept {
  return ((first * 0x9E3779B1U) ^ second) * 0x85EBCA6BU;
}

// Second words of pairs that stand for the edges of a block, and the first of its whole text.
constexpr std::uint32_t kBegin = 1, kEnd = 2, kWhole = 3, kNumber = 4;

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
  for (std::size_t i = 0; i < value.size() && room > 0;) {
    if (!name_letter(static_cast<unsigned char>(value[i]))) {
      ++i;
      continue;
    }
    const std::size_t start = i++;
    while (i < value.size() && name_letter(static_cast<unsigned char>(value[i]))) {
      const bool hump =
          ascii_capital(static_cast<unsigned char>(value[i])) && ascii_small(static_cast<unsigned char>(value[i - 1]));
      if (hump && i - start > 1) break;
      ++i;
    }
    const auto name = value.substr(start, i - start);
    if (name.size() >= 2 && name.size() <= 24) {
      names.push_back(name_hash_of(name, source));
      --room;
    }
  }
}

char32_t small_letter(char32_t c) noexcept {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  if (c < 0x100) return in_range(c, 0xC0, 0xDE) && c != 0xD7 ? c + 32 : c;
  if (c < 0x180) {
    const bool even = in_range(c, 0x100, 0x137) || in_range(c, 0x14A, 0x177);
    const bool odd = in_range(c, 0x139, 0x148) || in_range(c, 0x179, 0x17E);
    return (even && c % 2 == 0) || (odd && c % 2 == 1) ? c + 1 : c;
  }
  if (in_range(c, 0x391, 0x3A9) || in_range(c, 0x410, 0x42F)) return c + 32;
  return in_range(c, 0x400, 0x40F) ? c + 80 : c;
}

void split_words(std::string_view text, std::vector<std::uint32_t>& words) {
  std::uint32_t hash = kHashStart;
  bool inside = false, number = true;
  const auto end_word = [&] {
    if (inside) words.push_back(number ? kNumber : hash);
    hash = kHashStart;
    inside = false;
    number = true;
  };
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) {
      ++i;
      if (const auto small = kWordCharacters[byte]) {
        inside = true;
        number = number && small <= '9';
        hash = (hash ^ small) * kHashFactor;
      } else {
        end_word();
      }
      continue;
    }
    const auto decoded = decode_utf8(text, i);
    i += decoded.length;
    const auto kind = unicode_class(decoded.code_point);
    const bool letter = kind == UnicodeClass::letter || kind == UnicodeClass::mark;
    if (!letter && kind != UnicodeClass::number) {
      end_word();
      continue;
    }
    const bool alone = script_without_spaces(decoded.code_point);
    if (alone) end_word();
    inside = true;
    number = number && !letter;
    hash = (hash ^ static_cast<std::uint32_t>(small_letter(decoded.code_point))) * kHashFactor;
    if (alone) end_word();
  }
  end_word();
}

void add_word_groups(const std::uint32_t* words, std::size_t count, std::vector<std::uint32_t>& groups) {
  if (count == 0) return;
  std::uint32_t whole = kWhole;
  for (std::size_t i = 0; i < count; ++i) {
    whole = pair_hash(whole, words[i]);
    groups.push_back(words[i]);
    if (i > 0) groups.push_back(pair_hash(words[i - 1], words[i]));
  }
  groups.push_back(pair_hash(kBegin, words[0]));
  groups.push_back(pair_hash(words[count - 1], kEnd));
  if (count <= 4) groups.push_back(whole);
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

void name_columns(const BlockNames& names, const WeightTable& name_weights, const WeightTable& word_weights,
                  std::uint8_t* columns[kNameColumns]) {
  // Sums along the chain of elements up to the root: near weights through the first, second and third container; far
  // weights of all, and of those beyond the first, second and third container.
  struct Sums {
    std::int32_t near[3] = {0, 0, 0}, all = 0, beyond[3] = {0, 0, 0}, lowest = 0, highest = 0;
  };
  const std::size_t elements = names.parents.size();
  std::vector<Sums> sums(elements);
  constexpr std::int32_t kLimit = 1 << 24;  // keeps sums of chains in range
  for (std::size_t e = 0; e < elements; ++e) {
    std::int32_t near = 0, far = 0;
    for (auto k = names.name_offsets[e]; k < names.name_offsets[e + 1]; ++k) {
      const auto weights = name_weights.find(names.names[static_cast<std::size_t>(k)]);
      near += weights.near;
      far += weights.far;
    }
    const Sums none;
    const Sums& outer = names.parents[e] < 0 ? none : sums[static_cast<std::size_t>(names.parents[e])];
    Sums& own = sums[e];
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
  for (std::size_t b = 0; b < names.leaves.size(); ++b) {
    const Sums& chain = sums[static_cast<std::size_t>(names.leaves[b])];
    std::int64_t total = 0, count = 0;
    for (auto k = names.word_offsets[b]; k < names.word_offsets[b + 1]; ++k, ++count) {
      total += word_weights.find(names.words[static_cast<std::size_t>(k)]).near;
    }
    const std::int32_t values[kNameColumns] = {
        chain.near[2] + chain.beyond[2],
        chain.near[2],
        chain.beyond[2],
        chain.near[0],
        chain.near[1] - chain.near[0],
        chain.near[2] - chain.near[1],
        chain.lowest,
        chain.highest,
        static_cast<std::int32_t>(total),
        static_cast<std::int32_t>(count ? 4 * total / count : 0),
    };
    for (std::size_t k = 0; k < kNameColumns; ++k) columns[k][b] = weight_column(values[k]);
  }
}

}  // namespace corpusprep
