// What the files of FeatureBuilder share: contexts of blocks, tags, and the quantities that features are.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/hash.hpp"
#include "pages/features.hpp"
#include "pages/segmentation.hpp"

namespace corpusprep {

// Where a block is: one bit per kind of element around it.
enum Context : std::uint32_t {
  kMain = 1U << 0,
  kNavigation = 1U << 1,
  kHeader = 1U << 2,
  kFooter = 1U << 3,
  kAside = 1U << 4,
  kForm = 1U << 5,
  kTableContext = 1U << 6,
  kListContext = 1U << 7,
  kItem = 1U << 8,
  kDefinition = 1U << 9,
  kFigure = 1U << 10,
  kCaptionContext = 1U << 11,
  kQuotation = 1U << 12,
  kSection = 1U << 13,
  kCodeContext = 1U << 14,
  kControl = 1U << 15,
  kSmallPrint = 1U << 16,
  kNotShown = 1U << 17,
  kCommentContext = 1U << 18,
  kArticle = 1U << 19,  // the element itself: not inherited
  kPageTitle = 1U << 20,
};

constexpr std::uint8_t find_tag(std::string_view name) {
  for (std::size_t tag = 0; tag < kBlockTags.size(); ++tag) {
    if (kBlockTags[tag] == name) return static_cast<std::uint8_t>(tag);
  }
  return 0;
}
// The same, never at run time.
consteval std::uint8_t tag_of(std::string_view name) { return find_tag(name); }

inline std::string_view view(const xmlChar* text) {
  return text ? reinterpret_cast<const char*>(text) : std::string_view();
}

inline std::string_view value_of(const xmlAttr& attribute) {
  return attribute.children ? view(attribute.children->content) : std::string_view();
}

// A key of a value from its size and its first and last eight bytes.
inline std::uint64_t edge_key(std::string_view value) noexcept {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ULL;
  if (value.size() < 8) return (detail::load_few(value.data(), value.size()) + value.size() + 1) * kFactor;
  const auto first = detail::load_little_endian<std::uint64_t>(value.data());
  const auto last = detail::load_little_endian<std::uint64_t>(value.data() + value.size() - 8);
  return ((first * kFactor ^ last) + value.size()) * kFactor;
}

inline std::uint8_t clip(std::uint64_t count) { return static_cast<std::uint8_t>(std::min<std::uint64_t>(count, 255)); }

inline std::uint8_t share(std::uint64_t part, std::uint64_t whole) {
  if (!whole) return 0;
  // Division of 32 bits takes half as long.
  constexpr std::uint64_t kFew = 1 << 24;
  const auto few_part = static_cast<std::uint32_t>(part), few_whole = static_cast<std::uint32_t>(whole);
  if (part < kFew && whole < kFew) return clip(255 * few_part / few_whole);
  return clip(255 * part / whole);
}

// Exact up to 31, then 16 values for each doubling. Without a branch: counts of blocks are not foreseeable.
inline std::uint8_t steps_of(std::uint64_t count) {
  const auto doublings = static_cast<std::uint64_t>(std::bit_width(count | 31)) - 5;
  return clip(16 * doublings + (count >> doublings));
}

// 128 is no distance; 0 is kept for "none".
inline std::uint8_t signed_distance(std::int64_t distance) {
  return static_cast<std::uint8_t>(std::clamp<std::int64_t>(distance + 128, 1, 255));
}

}  // namespace corpusprep
