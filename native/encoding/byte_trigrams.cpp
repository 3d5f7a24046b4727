#include "encoding/byte_trigrams.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
// GCC and Clang compile single functions for processors with SSSE3; the processor is asked at run time.
#if defined(__SSE2__) && defined(__GNUC__)
#define CORPUSPREP_SSSE3
#include <tmmintrin.h>
#endif

#include "encoding/byte_groups.hpp"

namespace corpusprep {

using namespace byte_groups;

namespace {

constexpr std::uint8_t kSpace = 0x20;

// Each byte as trigrams contain it.
constexpr std::array<std::uint32_t, 256> kFold = [] {
  std::array<std::uint32_t, 256> fold{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    const bool letter = (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || byte >= 0x80;
    fold[byte] = letter ? byte : kSpace;
  }
  return fold;
}();

std::uint64_t hint_of(std::uint32_t key) noexcept { return KeyTable<std::uint32_t>::hash(key) >> 48; }

#if defined(CORPUSPREP_SSSE3)
// Returns the mask of the bytes beyond ASCII that are not in the set. For each lower half of a byte, the table says
// with which upper halves the byte is in the set.
__attribute__((target("ssse3"))) std::uint64_t strangers_of(const std::uint8_t* group,
                                                            const std::array<std::uint8_t, 16>& set) noexcept {
  const auto uppers_of_lower = _mm_loadu_si128(reinterpret_cast<const __m128i*>(set.data()));
  const auto bit_of_upper = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, -128);
  const auto half = _mm_set1_epi8(0x0F);
  std::uint64_t strangers = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const auto bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(group + 16 * i));
    const auto uppers = _mm_shuffle_epi8(uppers_of_lower, _mm_and_si128(bytes, half));
    const auto upper = _mm_shuffle_epi8(bit_of_upper, _mm_and_si128(_mm_srli_epi16(bytes, 4), half));
    // A byte without the bit of its upper half is not in the set. ASCII has no bit and counts as in the set.
    const auto strange = _mm_andnot_si128(_mm_cmpeq_epi8(_mm_and_si128(uppers, upper), upper), bytes);
    strangers |= std::uint64_t{static_cast<std::uint16_t>(_mm_movemask_epi8(strange))} << (16 * i);
  }
  return strangers;
}

bool has_ssse3() noexcept { return __builtin_cpu_supports("ssse3") != 0; }
#else
std::uint64_t strangers_of(const std::uint8_t*, const std::array<std::uint8_t, 16>&) noexcept { return 0; }
bool has_ssse3() noexcept { return false; }
#endif

}  // namespace

ByteTrigrams::ByteTrigrams(std::span<const std::uint32_t> keys, std::span<const std::uint32_t> weights,
                           std::size_t encodings)
    : encodings_(encodings) {
  if (weights.size() != keys.size() * encodings)
    throw std::runtime_error("the number of weights is not that of the byte trigrams");
  if (keys.size() > std::size_t{1} << 24) throw std::runtime_error("there are more than 2^24 byte trigrams");
  weights_.assign(weights.begin(), weights.end());
  patterns_.resize(encodings);
  bytes_.resize(encodings);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    rows_.insert(keys[i], static_cast<std::uint32_t>(i));
    const std::uint64_t hint = hint_of(keys[i]);
    hints_[hint / 64] |= std::uint64_t{1} << hint % 64;
    const unsigned pattern = (keys[i] >> 23 & 1) << 2 | (keys[i] >> 15 & 1) << 1 | (keys[i] >> 7 & 1);
    for (std::size_t e = 0; e < encodings; ++e) {
      if (weights[i * encodings + e] == 0) continue;
      patterns_[e] |= static_cast<std::uint8_t>(1U << pattern);
      for (unsigned shift = 0; shift < 24; shift += 8) {
        const std::uint32_t byte = keys[i] >> shift & 0xFF;
        if (byte >= 0x80) bytes_[e][byte & 0x0F] |= static_cast<std::uint8_t>(1U << (byte >> 4 & 7));
      }
    }
    all_patterns_ |= static_cast<std::uint8_t>(1U << pattern);
  }
}

// Calls visit(weights) for the running trigrams of these patterns that are known, until it returns false. It may skip
// trigrams with bytes beyond ASCII that are not in `bytes`.
template <class Visit>
void ByteTrigrams::each_known(std::string_view text, std::size_t most, unsigned patterns, const Bytes* bytes,
                              Visit visit) const noexcept {
  const auto* data = reinterpret_cast<const std::uint8_t*>(text.data());
  const std::size_t size = text.size();
  // A trigram is found by its last byte, so the trigrams of a group need no byte after the group. A byte beyond ASCII
  // is in the trigrams that end with it, one byte later and two bytes later. No trigram ends with the first byte of the
  // data, or more than one byte after the last.
  std::uint64_t carried = 0;            // bit 0: the byte before the group is beyond ASCII; bit 1: the byte before that
  std::uint64_t carried_strangers = 0;  // the same for the bytes that are not in `bytes`
  if (!has_ssse3()) bytes = nullptr;
  for (std::size_t place = 0; place <= size && most != 0; place += kGroup) {
    if (carried == 0) place = skip_ascii(data, place, size);
    const ByteGroup group(data, place, size);
    const std::uint64_t high = group.high();
    // For each of the three bytes of a trigram: is it beyond ASCII?
    const std::uint64_t middle = high << 1 | (carried & 1), left = high << 2 | carried >> 1 | (carried & 1) << 1;
    std::uint64_t ends = high | middle | left;
    carried = high >> 63 | (high >> 62 & 1) << 1;
    if (place == 0) ends &= ~std::uint64_t{1};
    if (size - place < kGroup - 1) ends &= (std::uint64_t{2} << (size - place)) - 1;
    if (ends == 0) continue;
    std::size_t taken = ones(ends);
    for (; taken > most; --taken) ends &= ~std::bit_floor(ends);
    most -= taken;
    if (bytes != nullptr) {
      const std::uint64_t strangers = strangers_of(group.bytes() + 2, *bytes);
      ends &= ~(strangers | strangers << 1 | strangers << 2 | carried_strangers);
      carried_strangers = strangers >> 62 | strangers >> 63;
      if (ends == 0) continue;
    }
    for (unsigned pattern = 1; pattern < 8; ++pattern) {
      if ((patterns >> pattern & 1) != 0) continue;
      ends &= ~((pattern & 4 ? left : ~left) & (pattern & 2 ? middle : ~middle) & (pattern & 1 ? high : ~high));
    }
    if (ends == 0) continue;

    for (; ends != 0; ends &= ends - 1) {
      const std::uint8_t* trigram = group.bytes() + std::countr_zero(ends);
      const std::uint32_t key = kFold[trigram[0]] << 16 | kFold[trigram[1]] << 8 | kFold[trigram[2]];
      const std::uint64_t hint = hint_of(key);
      if ((hints_[hint / 64] >> hint % 64 & 1) == 0) continue;
      const std::uint32_t row = rows_.find(key);
      if (row != KeyTable<std::uint32_t>::kNone && !visit(weights_.data() + row * encodings_)) return;
    }
  }
}

// `Encodings` is the number of encodings; 0 stands for any number. A number known at compile time keeps the sums in
// registers.
template <std::size_t Encodings>
void ByteTrigrams::add_for(std::string_view text, std::size_t most, std::uint64_t* sums) const noexcept {
  const std::size_t encodings = Encodings ? Encodings : encodings_;
  std::array<std::uint64_t, Encodings> held{};
  each_known(text, most, all_patterns_, nullptr, [&](const std::uint32_t* weights) {
    for (std::size_t e = 0; e < encodings; ++e) (Encodings ? held[e] : sums[e]) += weights[e];
    return true;
  });
  for (std::size_t e = 0; e < Encodings; ++e) sums[e] += held[e];
}

bool ByteTrigrams::any(std::string_view text, std::size_t most, std::size_t encoding) const noexcept {
  bool found = false;
  each_known(text, most, patterns_[encoding], &bytes_[encoding], [&](const std::uint32_t* weights) {
    found = weights[encoding] != 0;
    return !found;
  });
  return found;
}

void ByteTrigrams::add(std::string_view text, std::size_t most, std::uint64_t* sums) const noexcept {
  switch (encodings_) {
    case 1:
      return add_for<1>(text, most, sums);
    case 2:
      return add_for<2>(text, most, sums);
    case 3:
      return add_for<3>(text, most, sums);
    case 4:
      return add_for<4>(text, most, sums);
    case 5:
      return add_for<5>(text, most, sums);
    case 6:
      return add_for<6>(text, most, sums);
    case 7:
      return add_for<7>(text, most, sums);
    case 8:
      return add_for<8>(text, most, sums);
    default:
      return add_for<0>(text, most, sums);
  }
}

}  // namespace corpusprep
