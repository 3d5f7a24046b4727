#include "corpusprep/charsets.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>

namespace corpusprep {

namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080ULL;
constexpr std::uint8_t kSpace = 0x20;

// What stands for a byte in trigrams.
constexpr std::array<std::uint8_t, 256> kFold = [] {
  std::array<std::uint8_t, 256> fold{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const bool letter = (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || byte >= 0x80;
    fold[byte] = letter ? static_cast<std::uint8_t>(byte) : kSpace;
  }
  return fold;
}();

constexpr std::uint32_t hash(std::uint32_t key) noexcept { return key * 0x9E3779B1U; }

// The place of the first byte beyond ASCII from `position` on, or the end.
std::size_t skip_ascii(const std::uint8_t* data, std::size_t position, std::size_t size) noexcept {
  const auto high_bits = [data](std::size_t place) {
    std::uint64_t group;
    std::memcpy(&group, data + place, 8);
    return group & kHighBits;
  };
  for (; position + 32 <= size; position += 32) {
    if (high_bits(position) | high_bits(position + 8) | high_bits(position + 16) | high_bits(position + 24)) break;
  }
  if constexpr (std::endian::native == std::endian::little) {
    for (; position + 8 <= size; position += 8) {
      if (const auto bits = high_bits(position)) return position + static_cast<std::size_t>(std::countr_zero(bits)) / 8;
    }
  }
  while (position < size && data[position] < 0x80) ++position;
  return position;
}

struct Character {
  std::size_t length;  // bytes: of the character, or of what there is of it
  bool valid;
  bool cut;  // it is not valid only because the data end
};

// The character or maximal part of one at `position`, whose byte is beyond ASCII (Unicode Standard, table 3-7).
Character character_at(const std::uint8_t* data, std::size_t position, std::size_t size) noexcept {
  const std::uint8_t first = data[position];
  if (first < 0xC2 || first > 0xF4) return {1, false, false};
  const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  std::uint8_t low = 0x80, high = 0xBF;  // of the second byte
  if (first == 0xE0) low = 0xA0;
  if (first == 0xED) high = 0x9F;
  if (first == 0xF0) low = 0x90;
  if (first == 0xF4) high = 0x8F;
  for (std::size_t i = 1; i < length; ++i, low = 0x80, high = 0xBF) {
    if (position + i == size) return {i, false, true};
    const std::uint8_t byte = data[position + i];
    if (byte < low || byte > high) return {i, false, false};
  }
  return {length, true, false};
}

}  // namespace

double utf8_share(std::string_view text) noexcept {
  const auto* data = reinterpret_cast<const std::uint8_t*>(text.data());
  const std::size_t size = text.size();
  std::size_t characters = 0, invalid = 0;
  for (std::size_t i = skip_ascii(data, 0, size); i < size;) {
    if (data[i] < 0x80) {
      i = skip_ascii(data, i, size);
      continue;
    }
    const auto found = character_at(data, i, size);
    if (found.cut && invalid == 0) return characters ? 1.0 : 0.0;
    ++characters;
    invalid += !found.valid;
    i += found.length;
  }
  return characters ? 1.0 - static_cast<double>(invalid) / static_cast<double>(characters) : 1.0;
}

ByteTrigrams::ByteTrigrams(std::span<const std::uint32_t> keys, std::span<const std::uint32_t> weights,
                           std::size_t encodings)
    : encodings_(encodings) {
  if (weights.size() != keys.size() * encodings) throw std::runtime_error("byte trigrams without weights");
  if (keys.size() > std::size_t{1} << 24) throw std::runtime_error("more byte trigrams than there can be");
  const std::size_t slots = std::bit_ceil(keys.size() * 2 + 2);
  shift_ = static_cast<unsigned>(32 - std::countr_zero(slots));
  keys_.resize(slots);
  weights_.resize(slots * encodings);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::size_t slot = hash(keys[i]) >> shift_;
    while (keys_[slot]) slot = (slot + 1) & (slots - 1);
    keys_[slot] = keys[i];
    std::copy_n(weights.begin() + static_cast<std::ptrdiff_t>(i * encodings), encodings,
                weights_.begin() + static_cast<std::ptrdiff_t>(slot * encodings));
  }
}

void ByteTrigrams::add(std::string_view text, std::size_t most, std::uint64_t* sums) const noexcept {
  const auto* data = reinterpret_cast<const std::uint8_t*>(text.data());
  const std::size_t size = text.size();
  const auto folded = [&](std::size_t place) { return place < size ? kFold[data[place]] : kSpace; };
  // A place is the middle of a trigram; a byte beyond ASCII is in those of the place before it and after it, too.
  for (std::size_t i = 0; i < size && most; ++i) {
    std::uint32_t key = static_cast<std::uint32_t>((i ? folded(i - 1) : kSpace) << 16 | folded(i) << 8 | folded(i + 1));
    if (!(key & 0x808080)) {
      const auto high = skip_ascii(data, i, size);
      if (high == size) return;
      i = high - 1;
      key = static_cast<std::uint32_t>((i ? folded(i - 1) : kSpace) << 16 | folded(i) << 8 | folded(high));
    }
    --most;
    std::size_t slot = hash(key) >> shift_;
    while (keys_[slot] != key && keys_[slot]) slot = (slot + 1) & (keys_.size() - 1);
    if (!keys_[slot]) continue;
    const auto* weight = weights_.data() + slot * encodings_;
    for (std::size_t encoding = 0; encoding < encodings_; ++encoding) sums[encoding] += weight[encoding];
  }
}

}  // namespace corpusprep
