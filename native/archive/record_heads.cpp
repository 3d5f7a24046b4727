#include "archive/record_heads.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace corpusprep {

namespace {

constexpr std::size_t kLimit = 1 << 20;
constexpr std::size_t kLongestType = 64, kLongestNumber = 18;
constexpr auto kNone = std::string_view::npos;

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_printable(char c) noexcept { return c >= ' ' && c <= '~'; }
constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
constexpr bool is_name(char c) noexcept { return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') || c == '-'; }

bool same(std::string_view text, std::string_view lowered) noexcept {
  return text.size() == lowered.size() &&
         std::equal(text.begin(), text.end(), lowered.begin(), [](char a, char b) { return lower(a) == b; });
}

std::string_view stripped(std::string_view text) noexcept {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool printable(std::string_view text) noexcept { return std::ranges::all_of(text, is_printable); }

}  // namespace

std::optional<WarcHead> warc_head(std::string_view data) noexcept {
  const auto all = data.substr(0, kLimit);
  if (all.size() < 10 || !all.starts_with("WARC/") || !is_digit(all[5]) || all[6] != '.' || !is_digit(all[7]) ||
      all.substr(8, 2) != "\r\n") {
    return std::nullopt;
  }
  WarcHead head;
  bool has_length = false;
  std::array<std::pair<std::string_view, std::string_view*>, 5> wanted = {{{"warc-type", &head.type},
                                                                           {"warc-target-uri", &head.url},
                                                                           {"warc-date", &head.date},
                                                                           {"content-type", &head.content_type},
                                                                           {"warc-record-id", &head.record_id}}};
  std::array<bool, 5> seen{};
  std::size_t start = 10;
  for (;;) {
    const auto end = all.find('\n', start);
    if (end == kNone || all[end - 1] != '\r') return std::nullopt;
    const auto line = all.substr(start, end - 1 - start);
    start = end + 1;
    if (line.empty()) break;
    const auto colon = line.find(':');
    if (colon == kNone || !colon || !std::all_of(line.begin(), line.begin() + colon, is_name)) return std::nullopt;
    const auto name = line.substr(0, colon), value = stripped(line.substr(colon + 1));
    // A "WARC/" in a value starts the next head: the record has lost its end.
    if (!printable(value) || value.find("WARC/") != kNone) return std::nullopt;
    if (same(name, "content-length")) {
      if (has_length) continue;
      if (value.empty() || value.size() > kLongestNumber || !std::ranges::all_of(value, is_digit)) {
        return std::nullopt;
      }
      has_length = true;
      for (const char digit : value) head.length = head.length * 10 + static_cast<std::uint64_t>(digit - '0');
      continue;
    }
    if (same(name, "warc-truncated") || same(name, "warc-segment-number")) return std::nullopt;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (!seen[i] && same(name, wanted[i].first)) {
        seen[i] = true;
        *wanted[i].second = value;
      }
    }
  }
  const bool mended = head.type.size() > kLongestType || head.url.starts_with('<');
  if (!has_length || head.type.empty() || mended) return std::nullopt;
  head.size = start;
  return head;
}

std::optional<HttpHead> http_head(std::string_view data) noexcept {
  const auto all = data.substr(0, kLimit);
  if (!all.starts_with("HTTP/")) return std::nullopt;
  std::size_t i = 5;
  while (i < all.size() && i < 13 && (is_digit(all[i]) || all[i] == '.')) ++i;
  if (i >= all.size() || all[i] != ' ') return std::nullopt;
  ++i;
  HttpHead head;
  const auto digits = i;
  for (; i < all.size() && is_digit(all[i]) && i < digits + 4; ++i) head.status = head.status * 10 + (all[i] - '0');
  if (i == digits || i == digits + 4) return std::nullopt;
  i = all.find('\n', i);
  if (i == kNone) return std::nullopt;
  std::uint64_t length = 0;
  for (std::size_t start = i + 1;;) {
    const auto end = all.find('\n', start);
    if (end == kNone) return std::nullopt;
    auto line = all.substr(start, end - start);
    start = end + 1;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty()) {
      head.size = start;
      // Another head may follow: that of the final response.
      if (head.status < 200 || head.content_type.empty() || length > data.size() - start) return std::nullopt;
      return head;
    }
    const char first = line.front();
    // The line is folded, or is markup, or has a second carriage return, which may make it a blank line.
    if (first == ' ' || first == '\t' || first == '<' || first == '\r') return std::nullopt;
    const auto colon = line.find(':');
    if (colon == kNone) continue;
    const auto name = stripped(line.substr(0, colon));
    if (same(name, "content-encoding") || same(name, "transfer-encoding")) return std::nullopt;
    const auto value = stripped(line.substr(colon + 1));
    if (same(name, "content-length")) {
      if (value.size() > kLongestNumber || !std::ranges::all_of(value, is_digit)) return std::nullopt;
      length = 0;
      for (const char digit : value) length = length * 10 + static_cast<std::uint64_t>(digit - '0');
      continue;
    }
    if (!same(name, "content-type")) continue;
    if (!printable(value)) return std::nullopt;
    if (!value.empty()) head.content_type = value;
  }
}

bool plain_date(std::string_view text) noexcept {
  if (text.size() != 20) return false;
  constexpr std::string_view form = "dddd-dd-ddTdd:dd:ddZ";
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] == 'd' ? !is_digit(text[i]) : text[i] != form[i]) return false;
  }
  const auto number = [&](std::size_t i) { return (text[i] - '0') * 10 + (text[i + 1] - '0'); };
  const int month = number(5), day = number(8);
  const bool has_year = !text.starts_with("0000");
  return has_year && month >= 1 && month <= 12 && day >= 1 && day <= 28 && number(11) < 24 && number(14) < 60 &&
         number(17) < 60;
}

}  // namespace corpusprep
