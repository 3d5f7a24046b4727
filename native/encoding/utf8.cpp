#include "encoding/utf8.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "encoding/byte_groups.hpp"

namespace corpusprep {

using namespace byte_groups;

namespace {

struct Character {
  std::size_t length;  // bytes of the character, or of the part that is there
  bool valid;
  bool cut;  // it is invalid only because the data end
};

// Returns the character at `position`, or its maximal part. Its first byte is beyond ASCII (Unicode Standard, table
// 3-7).
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

// Counts of characters outside ASCII.
struct Characters {
  std::size_t all = 0, valid = 0;
};

// After this many characters it pays to ask whether the share can still be reached.
constexpr std::size_t kTelling = 32;
constexpr std::size_t kHopeless = ~std::size_t{0};

#if defined(__SSE2__)

// Returns the eight bits of the bytes of a group as masks; planes[7] holds the highest bits.
std::array<std::uint64_t, 8> bit_planes(const std::uint8_t* group) noexcept {
  std::array<std::uint64_t, 8> planes{};
  for (unsigned i = 0; i < 4; ++i) {
    auto bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(group + 16 * i));
    for (unsigned bit = 8; bit-- > 0; bytes = _mm_add_epi8(bytes, bytes)) {
      planes[bit] |= std::uint64_t{static_cast<std::uint16_t>(_mm_movemask_epi8(bytes))} << (16 * i);
    }
  }
  return planes;
}

// Returns whether the rest of the data can still bring the share of valid characters to `least`. Two bits per byte
// settle this for most text in other encodings: Each valid character has a first byte that is followed by a
// continuation byte. A first byte without one is invalid, and so is a continuation byte after ASCII.
bool may_reach(double least, const std::uint8_t* data, std::size_t size, const Characters& before) noexcept {
  std::size_t pairs = 0, faults = 0, place = 0;
  for (; (place = skip_ascii(data, place, size)) + kGroup <= size; place += kGroup) {
    std::uint64_t high = 0, first = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const auto bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(data + place + 16 * i));
      high |= std::uint64_t{static_cast<std::uint16_t>(_mm_movemask_epi8(bytes))} << (16 * i);
      first |= std::uint64_t{static_cast<std::uint16_t>(_mm_movemask_epi8(_mm_add_epi8(bytes, bytes)))} << (16 * i);
    }
    first &= high;
    const std::uint64_t continuation = high & ~first, behind_first = first << 1;
    // At the borders of the group, bytes count as valid.
    pairs += ones(continuation & behind_first) + (first >> 63);
    faults += ones((~continuation & behind_first) | (continuation & ~(high << 1 | 1)));
  }
  // The last character before may continue here and may have been counted as invalid; the other one is for rounding.
  const std::size_t possible = before.valid + pairs + (size - place) / 2 + 2;
  const auto valid = static_cast<double>(possible);
  const auto invalid = static_cast<double>(before.all - before.valid - 1 + faults);
  return valid >= least * (valid + invalid);
}

// Adds the characters of all whole groups to `found`, without branches on their bytes. Returns where counting must go
// on: after the groups, or at the character that the last group cuts. Returns kHopeless if the share of valid
// characters cannot reach `least`.
std::size_t count_groups(const std::uint8_t* data, std::size_t size, double least, Characters& found) noexcept {
  bool asked = false;
  // The highest bits of the masks of the group before.
  struct Carried {
    std::uint64_t two = 0, three = 0, e0 = 0, ed = 0, four = 0, f0 = 0, f4 = 0, second_of_three = 0, second_of_four = 0,
                  third_of_four = 0;
  } carried;
  std::size_t place = 0;
  for (; place + kGroup <= size; place += kGroup) {
    if (const std::size_t next = skip_ascii(data, place, size); next != place) {
      carried = {};
      place = next;
      if (place + kGroup > size) break;
    }
    const auto [b0, b1, b2, b3, b4, b5, b6, b7] = bit_planes(data + place);
    const auto behind = [](std::uint64_t mask, std::uint64_t& before) {
      return mask << 1 | std::exchange(before, mask >> 63);
    };
    const std::uint64_t continuation = b7 & ~b6, first = b7 & b6;
    // First bytes, by the length of their characters, and those that restrict the second byte.
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
      if (!may_reach(least, data + place + kGroup, size - place - kGroup, found)) return kHopeless;
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

std::size_t count_groups(const std::uint8_t*, std::size_t, double, Characters&) noexcept { return 0; }

#endif

}  // namespace

double utf8_share(std::string_view text, double least) noexcept {
  const auto* data = reinterpret_cast<const std::uint8_t*>(text.data());
  const std::size_t size = text.size();
  Characters found;
  std::size_t next = count_groups(data, size, least, found);  // after the last character seen
  if (next == kHopeless) return 0.0;
  for (std::size_t base = skip_ascii(data, next, size); base < size; base = skip_ascii(data, base + kGroup, size)) {
    std::uint64_t bits = ByteGroup(data, base, size).high();
    if (next > base) bits &= ~std::uint64_t{0} << std::min(next - base, kGroup - 1);
    while (bits != 0) {
      const std::size_t place = base + static_cast<std::size_t>(std::countr_zero(bits));
      const auto character = character_at(data, place, size);
      if (character.cut && found.valid == found.all) return found.all ? 1.0 : 0.0;
      ++found.all;
      found.valid += character.valid;
      next = place + character.length;
      if (next >= base + kGroup) break;
      bits &= ~std::uint64_t{0} << (next - base);
    }
  }
  return found.all ? 1.0 - static_cast<double>(found.all - found.valid) / static_cast<double>(found.all) : 1.0;
}

std::optional<std::string> pair_surrogates(std::string_view text) {
  const auto byte_at = [&](std::size_t i) { return i < text.size() ? static_cast<std::uint8_t>(text[i]) : 0U; };
  // Returns the surrogate that is encoded at `place`, or 0. Its first byte is ED.
  const auto surrogate_at = [&](std::size_t place) -> std::uint32_t {
    const std::uint32_t second = byte_at(place + 1), third = byte_at(place + 2);
    return second >= 0xA0 && second <= 0xBF && (third & 0xC0) == 0x80 ? 0xD000 | (second & 0x3F) << 6 | (third & 0x3F)
                                                                      : 0;
  };
  const auto next_ed = [&](std::size_t from) { return std::min(text.find('\xED', from), text.size()); };
  std::size_t place = next_ed(0);
  while (place != text.size() && surrogate_at(place) == 0) place = next_ed(place + 1);
  if (place == text.size()) return std::nullopt;

  std::string mended;
  mended.reserve(text.size());
  std::size_t copied = 0;
  for (; place != text.size(); place = next_ed(place)) {
    const std::uint32_t high = surrogate_at(place);
    if (high == 0) {
      ++place;
      continue;
    }
    mended.append(text, copied, place - copied);
    const std::uint32_t low = byte_at(place + 3) == 0xED ? surrogate_at(place + 3) : 0;
    if (high < 0xDC00 && low >= 0xDC00) {
      const std::uint32_t c = 0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF);
      for (const std::uint32_t byte :
           {0xF0 | c >> 18, 0x80 | (c >> 12 & 0x3F), 0x80 | (c >> 6 & 0x3F), 0x80 | (c & 0x3F)})
        mended.push_back(static_cast<char>(byte));
      place += 6;
    } else {
      mended.push_back('\xFF');
      place += 3;
    }
    copied = place;
  }
  mended.append(text, copied);
  return mended;
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

std::size_t count_controls(std::string_view text) noexcept {
  constexpr std::size_t kFewBytes = 240;  // a sum over them fits a byte: the loop works on 16 bytes at a time
  std::size_t found = 0;
  while (!text.empty()) {
    const std::string_view few = text.substr(0, kFewBytes);
    std::uint8_t sum = 0;
    for (const char character : few) {
      const auto byte = static_cast<std::uint8_t>(character);
      const bool space = static_cast<std::uint8_t>(byte - 0x09) <= 0x0D - 0x09;
      sum = static_cast<std::uint8_t>(sum + (((byte < 0x20) & !space & (byte != 0x1B)) | (byte == 0x7F)));
    }
    found += sum;
    text.remove_prefix(few.size());
  }
  return found;
}

DecodedText decode_single_bytes(std::string_view text, const std::array<char16_t, 128>& characters) {
  struct Encoded {
    std::array<char, 3> bytes;
    std::uint8_t length;
  };
  std::array<Encoded, 128> encoded{};
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    const std::uint32_t c = characters[i];
    const auto continuation = [](std::uint32_t bits) { return static_cast<char>(0x80 | (bits & 0x3F)); };
    if (c < 0x80) {
      encoded[i] = {{static_cast<char>(c)}, 1};
    } else if (c < 0x800) {
      encoded[i] = {{static_cast<char>(0xC0 | c >> 6), continuation(c)}, 2};
    } else {
      encoded[i] = {{static_cast<char>(0xE0 | c >> 12), continuation(c >> 6), continuation(c)}, 3};
    }
  }
  DecodedText decoded;
  const std::size_t size = text.size();
  decoded.text.reserve(size + 2 * count_high_bytes(text).all);
  const auto* data = reinterpret_cast<const std::uint8_t*>(text.data());
  for (std::size_t place = 0; place < size;) {
    std::size_t end = skip_ascii(data, place, size);
    while (end < size && data[end] < 0x80) ++end;
    decoded.text.append(text, place, end - place);
    for (; end < size && data[end] >= 0x80; ++end) {
      const Encoded& character = encoded[data[end] - 0x80U];
      decoded.text.append(character.bytes.data(), character.length);
      decoded.undecodable += characters[data[end] - 0x80U] == 0xFFFD;
    }
    place = end;
  }
  return decoded;
}

}  // namespace corpusprep
