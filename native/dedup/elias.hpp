// Elias delta codes (Elias 1975) of word ids, in a form that keeps their order.
//
// The delta code of x = 2^N + r (r in N bits) is the gamma code of N + 1, then r. Here the unary part of gamma has ones
// and ends with a zero (usually the reverse). So a larger number has the larger code in a bitwise comparison, and
// sequences of ids compare like their concatenated codes: n-grams are sorted and merged as bit strings.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "common/page_array.hpp"
#include "common/prefetch.hpp"

namespace corpusprep::ngrams {

struct DeltaCode {
  std::uint64_t bits;    // in the low `length` bits
  std::uint32_t length;  // 1 to 42
};

namespace detail {

// The gamma codes of 1 to 32.
constexpr auto kGamma = [] {
  std::array<DeltaCode, 32> codes{};
  for (std::uint32_t n = 0; n < 32; ++n) {
    const std::uint32_t value = n + 1;
    const auto exponent = static_cast<std::uint32_t>(std::bit_width(value)) - 1;
    const std::uint64_t ones = ((std::uint64_t{1} << exponent) - 1) << 1;
    codes[n] = {(ones << exponent) | (value & ((1U << exponent) - 1)), 2 * exponent + 1};
  }
  return codes;
}();

}  // namespace detail

// Returns the code of `id` (< 2^32 - 1), which is the code of the number id + 1.
inline DeltaCode delta_code(std::uint32_t id) noexcept {
  const std::uint64_t x = std::uint64_t{id} + 1;
  const auto exponent = static_cast<std::uint32_t>(std::bit_width(x)) - 1;
  const DeltaCode& gamma = detail::kGamma[exponent];
  return {(gamma.bits << exponent) | (x ^ (std::uint64_t{1} << exponent)), gamma.length + exponent};
}

// Returns the id whose code is at the top of `window`; sets `length` to the length of the code.
inline std::uint32_t delta_decode(std::uint64_t window, std::uint32_t& length) noexcept {
  const auto ones = static_cast<std::uint32_t>(std::countl_one(window)) & 7;  // at most 5 in a valid code
  const std::uint64_t rest = window << (ones + 1);
  const std::uint64_t low = ones == 0 ? 0 : rest >> (64 - ones);
  const auto exponent = static_cast<std::uint32_t>(((std::uint64_t{1} << ones) | low) - 1) & 31;
  length = 2 * ones + 1 + exponent;
  const std::uint64_t tail = exponent == 0 ? 0 : (rest << ones) >> (64 - exponent);
  return static_cast<std::uint32_t>(((std::uint64_t{1} << exponent) | tail) - 1);
}

// The longest n-gram, and the number of 64-bit groups that its code may need.
constexpr std::uint32_t kLongestNgram = 64;
constexpr std::uint32_t kLongestCode = 42;
constexpr std::size_t kMostGroups = (kLongestNgram * kLongestCode + 63) / 64;

// The code of an n-gram: the codes of its ids, concatenated, in groups of 64 bits, the highest first. After the code,
// the last group has zeros; later groups have any value. If two n-grams have the same length, neither code is a prefix
// of the other, so groups compare like ids.
struct NgramCode {
  std::array<std::uint64_t, kMostGroups> groups{};
  std::uint32_t bytes = 0;  // of the code, the last one filled with zeros

  std::size_t used_groups() const noexcept { return (bytes + std::size_t{7}) / 8; }
};

// A sequence of ids as one string of bits, the highest first.
class CodeString {
 public:
  explicit CodeString(std::size_t most_bits) : groups_(most_bits / 64 + 3) {}
  // Returns the number of bits.
  std::uint64_t size() const noexcept { return 64 * full_ + (64 - room_); }
  void append(const DeltaCode& code) noexcept {
    if (code.length <= room_) {
      room_ -= code.length;
      last_ |= code.bits << room_;
    } else {
      const std::uint32_t over = code.length - room_;
      groups_[full_++] = last_ | code.bits >> over;
      room_ = 64 - over;
      last_ = code.bits << room_;
    }
  }
  // The end of the string at some time, for cut().
  struct Mark {
    std::size_t full = 0;
    std::uint64_t last = 0;
    std::uint32_t room = 64;
  };
  Mark mark() const noexcept { return {full_, last_, room_}; }
  void cut(const Mark& mark) noexcept {
    full_ = mark.full;
    last_ = mark.last;
    room_ = mark.room;
  }
  // Must be called after append() and before any of the following.
  void settle() noexcept {
    groups_[full_] = last_;
    groups_[full_ + 1] = 0;
  }
  // Returns the `length` (>= 1) bits from `place`, at most 64, at the top of a group with zeros below.
  std::uint64_t group(std::uint64_t place, std::size_t length) const noexcept {
    const std::uint64_t* groups = groups_.get() + place / 64;
    const unsigned shift = place % 64;
    const std::uint64_t bits = groups[0] << shift | (groups[1] >> 1) >> (63 - shift);
    return length < 64 ? bits & ~(~std::uint64_t{0} >> length) : bits;
  }
  // Sets `code` to the `length` bits from `place`.
  void ngram(std::uint64_t place, std::size_t length, NgramCode& code) const noexcept {
    for (std::size_t g = 0; 64 * g < length; ++g) code.groups[g] = group(place + 64 * g, length - 64 * g);
    code.bytes = static_cast<std::uint32_t>((length + 7) / 8);
  }
  void prefetch(std::uint64_t place, std::size_t length) const noexcept {
    prefetch_line(groups_.get() + place / 64);
    prefetch_line(groups_.get() + (place + length) / 64);
  }

 private:
  PageArray<std::uint64_t> groups_;
  std::size_t full_ = 0;
  std::uint64_t last_ = 0;
  std::uint32_t room_ = 64;
};

// Decodes n ids into `ids`. Returns false if it is no code of n ids.
inline bool decode_ngram(const NgramCode& code, std::uint32_t n, std::uint32_t* ids) noexcept {
  std::size_t bit = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::size_t at = bit / 64, shift = bit % 64;
    if (at >= code.used_groups()) return false;
    std::uint64_t window = code.groups[at] << shift;
    if (shift != 0 && at + 1 < code.used_groups()) window |= code.groups[at + 1] >> (64 - shift);
    std::uint32_t length;
    ids[i] = delta_decode(window, length);
    bit += length;
  }
  return (bit + 7) / 8 == code.bytes;
}

}  // namespace corpusprep::ngrams
