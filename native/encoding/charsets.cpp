#include "encoding/charsets.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <utility>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif
// Where the compiler makes single functions for processors that have more, which are asked when it comes to it.
#if defined(__SSE2__) && defined(__GNUC__)
#define CORPUSPREP_SSSE3
#include <tmmintrin.h>
#endif

namespace corpusprep {

namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080ULL;
constexpr std::uint64_t kGather = 0x0102040810204080ULL;
constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
constexpr std::uint8_t kSpace = 0x20;

// What stands for a byte in trigrams.
constexpr std::array<std::uint32_t, 256> kFold = [] {
  std::array<std::uint32_t, 256> fold{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    const bool letter = (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || byte >= 0x80;
    fold[byte] = letter ? byte : kSpace;
  }
  return fold;
}();

constexpr unsigned kHintShift = 16;

constexpr std::uint32_t hash(std::uint32_t key) noexcept { return key * 0x9E3779B1U; }

std::size_t ones(std::uint64_t bits) noexcept {
  bits -= bits >> 1 & 0x5555555555555555ULL;
  bits = (bits & 0x3333333333333333ULL) + (bits >> 2 & 0x3333333333333333ULL);
  return ((bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * kOnes >> 56;
}

static_assert(std::endian::native == std::endian::little, "the first byte of a group is its lowest");

std::uint64_t load(const std::uint8_t* bytes) noexcept {
  std::uint64_t group;
  std::memcpy(&group, bytes, 8);
  return group;
}

// Data in blocks of 64 bytes. Where a mask stands for a block, it has one bit a byte, the first byte's lowest.
constexpr std::size_t kBlock = 64;

// The block at `place` and the two bytes before it; zeros, which are ASCII, where the data do not reach.
class Block {
 public:
  Block(const std::uint8_t* data, std::size_t place, std::size_t size) noexcept : bytes_(data + place - 2) {
    if (place >= 2 && place + kBlock <= size) return;
    const std::size_t before = place < 2 ? 0 : 2;
    std::memset(copy_, 0, sizeof copy_);
    std::copy(data + place - before, data + std::min(place + kBlock, size), copy_ + 2 - before);
    bytes_ = copy_;
  }
  // From the first of the two bytes on.
  const std::uint8_t* bytes() const noexcept { return bytes_; }

  // Those beyond ASCII.
  std::uint64_t high() const noexcept {
    std::uint64_t bits = 0;
#if defined(__SSE2__)
    for (unsigned i = 0; i < 4; ++i) {
      const auto bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes_ + 2 + 16 * i));
      bits |= std::uint64_t{static_cast<std::uint16_t>(_mm_movemask_epi8(bytes))} << (16 * i);
    }
#else
    // The product brings the eight highest bits together at the top, each byte's in its place.
    for (unsigned i = 0; i < 8; ++i) bits |= ((load(bytes_ + 2 + 8 * i) & kHighBits) >> 7) * kGather >> 56 << (8 * i);
#endif
    return bits;
  }

 private:
  const std::uint8_t* bytes_;
  std::uint8_t copy_[2 + kBlock];
};

// The place of the first whole block from `place` on that has a byte beyond ASCII, or of what is left behind blocks.
std::size_t skip_ascii(const std::uint8_t* data, std::size_t place, std::size_t size) noexcept {
  for (; place + kBlock <= size; place += kBlock) {
    std::uint64_t any = 0;
    for (unsigned i = 0; i < 8; ++i) any |= load(data + place + 8 * i);
    if ((any & kHighBits) != 0) break;
  }
  return place;
}

#if defined(CORPUSPREP_SSSE3)
// Of a block's bytes beyond ASCII, those that are not in the set: the table of the lower half byte says for which upper
// ones a byte is in it.
__attribute__((target("ssse3"))) std::uint64_t strangers_of(const std::uint8_t* block,
                                                            const std::array<std::uint8_t, 16>& set) noexcept {
  const auto uppers_of_lower = _mm_loadu_si128(reinterpret_cast<const __m128i*>(set.data()));
  const auto bit_of_upper = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, -128);
  const auto half = _mm_set1_epi8(0x0F);
  std::uint64_t strangers = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const auto bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 16 * i));
    const auto uppers = _mm_shuffle_epi8(uppers_of_lower, _mm_and_si128(bytes, half));
    const auto upper = _mm_shuffle_epi8(bit_of_upper, _mm_and_si128(_mm_srli_epi16(bytes, 4), half));
    // Equal to no upper half's bit: not in the set. ASCII has no bit, and counts as in it.
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

// What lies outside ASCII.
struct Characters {
  std::size_t all = 0, valid = 0;
};

// So many characters tell whether it is worth asking if the others can be valid.
constexpr std::size_t kTelling = 32;
constexpr std::size_t kHopeless = ~std::size_t{0};

#if defined(__SSE2__)

// The eight bits of a block's bytes, planes[7] being the highest.
std::array<std::uint64_t, 8> bit_planes(const std::uint8_t* block) noexcept {
  std::array<std::uint64_t, 8> planes{};
  for (unsigned i = 0; i < 4; ++i) {
    auto bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 16 * i));
    for (unsigned bit = 8; bit-- > 0; bytes = _mm_add_epi8(bytes, bytes)) {
      planes[bit] |= std::uint64_t{static_cast<std::uint16_t>(_mm_movemask_epi8(bytes))} << (16 * i);
    }
  }
  return planes;
}

// Whether the characters of the data can at all bring the share of valid ones, with those before, to `least`. Two of
// the planes say so of most text in other encodings: each valid character has a first byte with a continuation behind
// it, and a first byte with none behind it is one that is not valid, as is a continuation behind ASCII.
bool may_reach(double least, const std::uint8_t* data, std::size_t size, const Characters& before) noexcept {
  std::size_t pairs = 0, faults = 0, place = 0;
  for (; (place = skip_ascii(data, place, size)) + kBlock <= size; place += kBlock) {
    std::uint64_t high = 0, first = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const auto bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(data + place + 16 * i));
      high |= std::uint64_t{static_cast<std::uint16_t>(_mm_movemask_epi8(bytes))} << (16 * i);
      first |= std::uint64_t{static_cast<std::uint16_t>(_mm_movemask_epi8(_mm_add_epi8(bytes, bytes)))} << (16 * i);
    }
    first &= high;
    const std::uint64_t continuation = high & ~first, behind_first = first << 1;
    // At its ends the block is given the benefit of the doubt.
    pairs += ones(continuation & behind_first) + (first >> 63);
    faults += ones((~continuation & behind_first) | (continuation & ~(high << 1 | 1)));
  }
  // The last character before may go on here, and be counted as not valid yet; one more is for rounding.
  const auto valid = static_cast<double>(before.valid + pairs + (size - place) / 2 + 2);
  const auto invalid = static_cast<double>(before.all - before.valid - 1 + faults);
  return valid >= least * (valid + invalid);
}

// Adds the characters of all whole blocks to `found`, without a branch on what they are. Gives the place from which on
// they are still to be counted: behind the blocks, or at the character that their end cuts; kHopeless where what is
// counted and what is left cannot bring the share of valid ones to `least`.
std::size_t count_blocks(const std::uint8_t* data, std::size_t size, double least, Characters& found) noexcept {
  bool asked = false;
  // Of a mask of the block before, only what moves up into this one's lowest bit.
  struct Carried {
    std::uint64_t two = 0, three = 0, e0 = 0, ed = 0, four = 0, f0 = 0, f4 = 0, second_of_three = 0, second_of_four = 0,
                  third_of_four = 0;
  } carried;
  std::size_t place = 0;
  for (; place + kBlock <= size; place += kBlock) {
    if (const std::size_t next = skip_ascii(data, place, size); next != place) {
      carried = {};
      place = next;
      if (place + kBlock > size) break;
    }
    const auto [b0, b1, b2, b3, b4, b5, b6, b7] = bit_planes(data + place);
    const auto behind = [](std::uint64_t mask, std::uint64_t& before) {
      return mask << 1 | std::exchange(before, mask >> 63);
    };
    const std::uint64_t continuation = b7 & ~b6, first = b7 & b6;
    // First bytes by the length of their characters; those after which not every second byte can stand.
    const std::uint64_t two = first & ~b5 & (b4 | b3 | b2 | b1);
    const std::uint64_t three = first & b5 & ~b4, e0 = three & ~(b3 | b2 | b1 | b0), ed = three & b3 & b2 & ~b1 & b0;
    const std::uint64_t four = first & b5 & b4 & ~b3 & ~(b2 & (b1 | b0)), f0 = four & ~(b2 | b1 | b0), f4 = four & b2;

    const std::uint64_t second_of_two = continuation & behind(two, carried.two);
    const std::uint64_t second_of_three =
        continuation & behind(three, carried.three) & ~(behind(e0, carried.e0) & ~b5) & ~(behind(ed, carried.ed) & b5);
    const std::uint64_t second_of_four = continuation & behind(four, carried.four) &
                                         ~(behind(f0, carried.f0) & ~(b5 | b4)) & ~(behind(f4, carried.f4) & (b5 | b4));
    const std::uint64_t third_of_three = continuation & behind(second_of_three, carried.second_of_three);
    const std::uint64_t third_of_four = continuation & behind(second_of_four, carried.second_of_four);
    const std::uint64_t fourth = continuation & behind(third_of_four, carried.third_of_four);

    const std::uint64_t last = second_of_two | third_of_three | fourth;
    found.all += ones(b7 & ~(last | second_of_three | second_of_four | third_of_four));
    found.valid += ones(last);
    if (!asked && found.all >= kTelling && static_cast<double>(found.valid) < least * static_cast<double>(found.all)) {
      asked = true;
      if (!may_reach(least, data + place + kBlock, size - place - kBlock, found)) return kHopeless;
    }
  }
  std::size_t cut = 0;  // bytes
  if ((carried.two | carried.three | carried.four) != 0) cut = 1;
  if ((carried.second_of_three | carried.second_of_four) != 0) cut = 2;
  if (carried.third_of_four != 0) cut = 3;
  if (cut != 0) --found.all;
  return place - cut;
}

#else

std::size_t count_blocks(const std::uint8_t*, std::size_t, double, Characters&) noexcept { return 0; }

#endif

}  // namespace

double utf8_share(std::string_view text, double least) noexcept {
  const auto* data = reinterpret_cast<const std::uint8_t*>(text.data());
  const std::size_t size = text.size();
  Characters found;
  std::size_t next = count_blocks(data, size, least, found);  // behind the last character seen
  if (next == kHopeless) return 0.0;
  for (std::size_t base = skip_ascii(data, next, size); base < size; base = skip_ascii(data, base + kBlock, size)) {
    std::uint64_t bits = Block(data, base, size).high();
    if (next > base) bits &= ~std::uint64_t{0} << (next - base);
    while (bits != 0) {
      const std::size_t place = base + static_cast<std::size_t>(std::countr_zero(bits));
      const auto character = character_at(data, place, size);
      if (character.cut && found.valid == found.all) return found.all ? 1.0 : 0.0;
      ++found.all;
      found.valid += character.valid;
      next = place + character.length;
      if (next >= base + kBlock) break;
      bits &= ~std::uint64_t{0} << (next - base);
    }
  }
  return found.all ? 1.0 - static_cast<double>(found.all - found.valid) / static_cast<double>(found.all) : 1.0;
}

HighBytes count_high_bytes(std::string_view text) noexcept {
  const auto* data = reinterpret_cast<const std::uint8_t*>(text.data());
  HighBytes found;
  const auto count = [](std::uint64_t high) { return static_cast<std::size_t>((high >> 7) * kOnes >> 56); };
  const auto add = [&](std::uint64_t group) {
    const std::uint64_t high = group & kHighBits;
    found.all += count(high);
    found.controls += count(high & ~(group << 1) & ~(group << 2));
  };
  std::size_t place = 0;
  for (; place + 8 <= text.size(); place += 8) add(load(data + place));
  for (; place < text.size(); ++place) add(data[place]);
  return found;
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
  patterns_.resize(encodings);
  bytes_.resize(encodings);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::size_t slot = hash(keys[i]) >> shift_;
    while (keys_[slot]) slot = (slot + 1) & (slots - 1);
    keys_[slot] = keys[i];
    const std::uint32_t hint = hash(keys[i]) >> kHintShift;
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
    std::copy_n(weights.begin() + static_cast<std::ptrdiff_t>(i * encodings), encodings,
                weights_.begin() + static_cast<std::ptrdiff_t>(slot * encodings));
  }
}

// Calls visit(weights) for the running trigrams of these patterns that are known, until it says false. Of those with
// other bytes beyond ASCII than `bytes` has, it may call for none.
template <class Visit>
void ByteTrigrams::each_known(std::string_view text, std::size_t most, unsigned patterns, const Bytes* bytes,
                              Visit visit) const noexcept {
  const auto* data = reinterpret_cast<const std::uint8_t*>(text.data());
  const std::size_t size = text.size();
  // A trigram goes by its last byte, so that those of a block need no byte behind it: a byte beyond ASCII is in those
  // that end with it, one behind it and two behind it. None ends with the first byte of the data, or later than one
  // behind the last.
  std::uint64_t carried = 0;            // bit 0: the byte before the block is beyond ASCII; bit 1: the one before that
  std::uint64_t carried_strangers = 0;  // the same of those that are not in `bytes`
  if (!has_ssse3()) bytes = nullptr;
  for (std::size_t place = 0; place <= size && most != 0; place += kBlock) {
    if (carried == 0) place = skip_ascii(data, place, size);
    const Block block(data, place, size);
    const std::uint64_t high = block.high();
    // Of each trigram's bytes, whether they are beyond ASCII.
    const std::uint64_t middle = high << 1 | (carried & 1), left = high << 2 | carried >> 1 | (carried & 1) << 1;
    std::uint64_t ends = high | middle | left;
    carried = high >> 63 | (high >> 62 & 1) << 1;
    if (place == 0) ends &= ~std::uint64_t{1};
    if (size - place < kBlock - 1) ends &= (std::uint64_t{2} << (size - place)) - 1;
    if (ends == 0) continue;
    std::size_t taken = ones(ends);
    for (; taken > most; --taken) ends &= ~(std::uint64_t{1} << (63 - std::countl_zero(ends)));
    most -= taken;
    if (bytes != nullptr) {
      const std::uint64_t strangers = strangers_of(block.bytes() + 2, *bytes);
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
      const std::uint8_t* trigram = block.bytes() + std::countr_zero(ends);
      const std::uint32_t key = kFold[trigram[0]] << 16 | kFold[trigram[1]] << 8 | kFold[trigram[2]];
      const std::uint32_t hashed = hash(key), hint = hashed >> kHintShift;
      if ((hints_[hint / 64] >> hint % 64 & 1) == 0) continue;
      std::size_t slot = hashed >> shift_;
      while (keys_[slot] != key && keys_[slot]) slot = (slot + 1) & (keys_.size() - 1);
      if (keys_[slot] && !visit(weights_.data() + slot * encodings_)) return;
    }
  }
}

// `Encodings` is their number, or 0: any number. A number known when compiled keeps the sums in registers.
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
