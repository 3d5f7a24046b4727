#include <array>

#include "pages/bytes.hpp"
#include "pages/markup.hpp"

namespace corpusprep {

namespace {

// The parser may search the open elements at each end tag: up to 256 (its limit for pages that are not huge), in up to
// 7 µs. So many bytes per end tag keep that at 0.3 µs per byte; real pages have some 90. Few end tags cannot take long.
constexpr std::size_t kBytesPerEndTag = 24, kFewEndTags = 1000;
// The most bytes of tags that are looked at, per byte of a page. Tags overlap only if one contains the beginning of
// another: in a value, or where no tag is meant.
constexpr std::size_t kMostLooks = 4, kFewLooks = 65536;

enum Stop : unsigned char { kSpaceStop = 1, kNameStop = 2, kAttributeStop = 4, kValueStop = 8 };

constexpr std::array<unsigned char, 256> kStops = [] {
  std::array<unsigned char, 256> stops{};
  for (const unsigned char space : {' ', '\t', '\n', '\f', '\r'})
    stops[space] = kSpaceStop | kNameStop | kAttributeStop | kValueStop;
  stops['/'] = kNameStop | kAttributeStop;
  stops['>'] = kNameStop | kAttributeStop | kValueStop;
  stops['='] = kAttributeStop;
  return stops;
}();

bool stops_at(char byte, Stop stop) noexcept { return (kStops[static_cast<unsigned char>(byte)] & stop) != 0; }

// A tag, as far as it was looked at: its attributes up to kMostAttributes + 1, and where looking ended.
struct Tag {
  std::size_t attributes = 0;
  std::size_t end = 0;
};

// Returns the ">" that ends a tag with at most kMostAttributes attributes; npos if it may end elsewhere, or have more.
// Most tags end at the first ">" behind `place`. If it is inside a value, the last quotation mark of its kind before it
// begins that value, behind a "=" or white space. Attributes have two bytes or more.
std::size_t short_end(std::string_view page, std::size_t place) noexcept {
  std::string_view tag = page.substr(place, 2 * kMostAttributes);
  const std::size_t end = find_byte(tag, '>', 0);
  if (end == tag.size()) return std::string_view::npos;
  tag = tag.substr(0, end);
  for (const char mark : {'"', '\''}) {
    if (find_byte(tag, mark, 0) == end) continue;
    const std::size_t last = tag.rfind(mark);
    if (last == 0 || tag[last - 1] == '=' || stops_at(tag[last - 1], kSpaceStop)) return std::string_view::npos;
  }
  return place + end;
}

Tag look_at_tag(std::string_view page, std::size_t name) noexcept {
  Tag tag;
  std::size_t i = name;
  while (i < page.size() && !stops_at(page[i], kNameStop)) ++i;
  if (const std::size_t end = short_end(page, i); end != std::string_view::npos) return {0, end};
  while (true) {
    while (i < page.size() && (page[i] == '/' || stops_at(page[i], kSpaceStop))) ++i;
    if (i >= page.size() || page[i] == '>' || ++tag.attributes > kMostAttributes) break;
    for (++i; i < page.size() && !stops_at(page[i], kAttributeStop);) ++i;
    i = skip_space(page, i);
    if (i >= page.size() || page[i] != '=') continue;
    i = skip_space(page, i + 1);
    if (i >= page.size()) break;
    if (page[i] == '"' || page[i] == '\'') {
      i = find_byte(page, page[i], i + 1) + 1;
    } else {
      while (i < page.size() && !stops_at(page[i], kValueStop)) ++i;
    }
  }
  tag.end = i;
  return tag;
}

}  // namespace

bool has_moves(std::string_view page) noexcept {
  for (std::size_t p = find_byte(page, '$', 0); p + 1 < page.size(); p = find_byte(page, '$', p + 1)) {
    if (page[p + 1] == 'R') return true;
  }
  return false;
}

bool costly_markup(std::string_view page) noexcept {
  if (page.size() >= kHuge) return true;
  std::size_t end_tags = 0, looks = 0;
  for (std::size_t p = find_byte(page, '<', 0); p + 1 < page.size(); p = find_byte(page, '<', p + 1)) {
    if (page[p + 1] == '/') {
      ++end_tags;
    } else if (markup_letter(page[p + 1])) {
      const Tag tag = look_at_tag(page, p + 1);
      looks += tag.end - p;
      if (tag.attributes > kMostAttributes || looks > kFewLooks + kMostLooks * page.size()) return true;
    }
  }
  return end_tags > kFewEndTags && end_tags * kBytesPerEndTag > page.size();
}

}  // namespace corpusprep
