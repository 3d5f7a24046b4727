// Classes of up to 64 characters of ASCII at once, as bits of a word.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace corpusprep {

// Bit i of a mask stands for character i; bits from `size` on are 0.
struct AsciiClasses {
  std::uint64_t spaces = 0, letters = 0, capitals = 0, digits = 0;  // capitals are letters, too
  std::uint64_t commas = 0, ends = 0;                               // , ; and . ! ?
  unsigned size = 0;                                                // characters before the first one beyond ASCII
  std::uint64_t all() const noexcept { return size < 64 ? (std::uint64_t{1} << size) - 1 : ~std::uint64_t{0}; }
  // Leaves out the characters from `end` on. Inlined into functions of all targets.
  [[gnu::always_inline]] void cut(std::size_t end) noexcept {
    size = static_cast<unsigned>(end);
    // One by one: a list of their places would keep them in memory.
    const std::uint64_t kept = all();
    spaces &= kept;
    letters &= kept;
    capitals &= kept;
    digits &= kept;
    commas &= kept;
    ends &= kept;
  }
  // Returns those of the characters from `start` on, of `count` at most; `start` is less than `size`.
  [[gnu::always_inline]] AsciiClasses part(std::size_t start, std::size_t count) const noexcept {
    AsciiClasses found = {
        spaces >> start, letters >> start, capitals >> start, digits >> start, commas >> start, ends >> start, 0};
    found.cut(std::min(count, size - start));
    return found;
  }
};

inline constexpr std::size_t kMostClasses = 64;

namespace detail {

// The same for 16 characters or fewer; `beyond` has the bits of those beyond ASCII.
struct ClassMasks {
  unsigned spaces = 0, letters = 0, capitals = 0, digits = 0, commas = 0, ends = 0, beyond = 0;
};

#if defined(__x86_64__)

inline ClassMasks class_masks(const char* text, std::size_t size, std::size_t before) noexcept {
  // Fewer than 16 are read with bytes in front of them, which are shifted out: copying them takes unforeseeable jumps.
  const std::size_t left_out = size < 16 ? 16 - size : 0;
  std::array<char, 16> copy{};
  if (left_out > before) std::memcpy(copy.data() + left_out, text, size);
  const char* const start = left_out > before ? copy.data() : text - left_out;
  const auto mask = [left_out](__m128i bytes) { return static_cast<unsigned>(_mm_movemask_epi8(bytes)) >> left_out; };
  const auto up_to = [](__m128i bytes, char last) {
    return _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(last)), bytes);
  };
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(start));
  const __m128i small = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
  ClassMasks found;
  found.spaces = mask(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')));
  found.letters = mask(up_to(_mm_sub_epi8(small, _mm_set1_epi8('a')), 25));
  found.capitals = found.letters & ~mask(_mm_slli_epi16(bytes, 2));  // small letters have bit 5
  found.digits = mask(up_to(_mm_sub_epi8(bytes, _mm_set1_epi8('0')), 9));
  const auto is = [bytes](char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
  found.commas = mask(_mm_or_si128(is(','), is(';')));
  found.ends = mask(_mm_or_si128(is('.'), _mm_or_si128(is('!'), is('?'))));
  found.beyond = mask(bytes);
  return found;
}

#else

inline ClassMasks class_masks(const char* text, std::size_t size, std::size_t /*before*/) noexcept {
  ClassMasks found;
  for (std::size_t i = 0; i < std::min<std::size_t>(size, 16); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto set = [i](unsigned& mask, bool holds) { mask |= static_cast<unsigned>(holds) << i; };
    const bool capital = byte >= 'A' && byte <= 'Z';
    set(found.spaces, byte == ' ');
    set(found.letters, capital || (byte >= 'a' && byte <= 'z'));
    set(found.capitals, capital);
    set(found.digits, byte >= '0' && byte <= '9');
    set(found.commas, byte == ',' || byte == ';');
    set(found.ends, byte == '.' || byte == '!' || byte == '?');
    set(found.beyond, byte >= 0x80);
  }
  return found;
}

#endif

}  // namespace detail

// Returns the classes of the characters of ASCII that text[0:size] begins with, of kMostClasses at most. `before` bytes
// in front of the text may be read: with 15 or more it is quicker.
inline AsciiClasses ascii_classes(const char* text, std::size_t size, std::size_t before) noexcept {
  AsciiClasses classes;
  const std::size_t limit = std::min(size, kMostClasses);
  std::size_t end = limit;
  for (std::size_t start = 0; start < end; start += 16) {
    const auto found = detail::class_masks(text + start, limit - start, before + start);
    classes.spaces |= std::uint64_t{found.spaces} << start;
    classes.letters |= std::uint64_t{found.letters} << start;
    classes.capitals |= std::uint64_t{found.capitals} << start;
    classes.digits |= std::uint64_t{found.digits} << start;
    classes.commas |= std::uint64_t{found.commas} << start;
    classes.ends |= std::uint64_t{found.ends} << start;
    if (found.beyond) end = start + static_cast<std::size_t>(std::countr_zero(found.beyond));
  }
  classes.cut(end);
  return classes;
}

#if defined(__x86_64__)

// Returns whether the processor has what functions for wide_ascii_classes are compiled for.
inline bool has_wide_classes() noexcept {
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
                          __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  return has;
}

namespace detail {

[[gnu::target("avx2"), gnu::always_inline]] inline __m256i equal(__m256i bytes, char c) noexcept {
  return _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(c));
}

// Returns the highest bit of each byte from `left_out` on.
[[gnu::target("avx2"), gnu::always_inline]] inline std::uint64_t mask(__m256i bytes, std::size_t left_out) noexcept {
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes)) >> left_out;
}

}  // namespace detail

// The same with twice as many characters at once.
[[gnu::target("avx2,popcnt,bmi,bmi2")]] inline AsciiClasses wide_ascii_classes(const char* text, std::size_t size,
                                                                               std::size_t before) noexcept {
  constexpr std::size_t kWidth = 32;
  AsciiClasses classes;
  const std::size_t limit = std::min(size, kMostClasses);
  std::size_t end = limit;
  for (std::size_t start = 0; start < end; start += kWidth) {
    const std::size_t left_out = limit - start < kWidth ? kWidth - (limit - start) : 0;
    std::array<char, kWidth> copy{};
    const bool copies = left_out > before + start;
    if (copies) std::memcpy(copy.data() + left_out, text + start, limit - start);
    const char* from = copies ? copy.data() : text + start - left_out;
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    const __m256i small = _mm256_sub_epi8(_mm256_or_si256(bytes, _mm256_set1_epi8(0x20)), _mm256_set1_epi8('a'));
    const __m256i digits = _mm256_sub_epi8(bytes, _mm256_set1_epi8('0'));
    const __m256i spaces = detail::equal(bytes, ' ');
    const __m256i is_letter = _mm256_cmpeq_epi8(_mm256_min_epu8(small, _mm256_set1_epi8(25)), small);
    const __m256i is_digit = _mm256_cmpeq_epi8(_mm256_min_epu8(digits, _mm256_set1_epi8(9)), digits);
    const __m256i bit_5 = _mm256_slli_epi16(bytes, 2);  // small letters have it
    const __m256i commas = _mm256_or_si256(detail::equal(bytes, ','), detail::equal(bytes, ';'));
    const __m256i ends = _mm256_or_si256(detail::equal(bytes, '.'),
                                         _mm256_or_si256(detail::equal(bytes, '!'), detail::equal(bytes, '?')));
    const std::uint64_t letters = detail::mask(is_letter, left_out), beyond = detail::mask(bytes, left_out);
    classes.spaces |= detail::mask(spaces, left_out) << start;
    classes.digits |= detail::mask(is_digit, left_out) << start;
    classes.letters |= letters << start;
    classes.capitals |= (letters & ~detail::mask(bit_5, left_out)) << start;
    classes.commas |= detail::mask(commas, left_out) << start;
    classes.ends |= detail::mask(ends, left_out) << start;
    if (beyond) end = start + static_cast<std::size_t>(std::countr_zero(beyond));
  }
  classes.cut(end);
  return classes;
}

#endif

}  // namespace corpusprep
