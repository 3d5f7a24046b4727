// The vertical: one token per line, structures <doc …> <p …> </p> </doc>, glue <g/>.
//
// Tokens are escaped as text of XML is: &amp; &lt; &gt; stand for & < >. So each line that starts with '<' is a
// structure. Readers also take &quot; and &apos;, and lines of other tools that do not escape: any other & stands for
// itself, and so does a '<' that no tag starts with.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace corpusprep {

// A line is a structure if it looks like a tag: '<', then a letter or '/', and '>' at its end. A token '<' is a token.
inline bool is_structure(std::string_view line) noexcept {
  if (line.size() < 3 || line.front() != '<' || line.back() != '>') return false;
  const char second = line[1];
  return second == '/' || (second >= 'a' && second <= 'z') || (second >= 'A' && second <= 'Z');
}

// The characters that are escaped.
inline constexpr std::string_view kSpecial = "&<>";

// Appends a token, escaped.
inline void append_escaped(std::string_view token, std::string& out) {
  for (const char c : token) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  }
}

// Replaces `token` by an escaped token as it is in the text.
inline void unescape(std::string_view escaped, std::string& token) {
  constexpr std::array<std::pair<std::string_view, char>, 5> kEntities = {
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};
  token.clear();
  while (!escaped.empty()) {
    const auto ampersand = std::min(escaped.find('&'), escaped.size());
    token.append(escaped.substr(0, ampersand));
    escaped.remove_prefix(ampersand);
    if (escaped.empty()) return;
    const auto found =
        std::ranges::find_if(kEntities, [&](const auto& entity) { return escaped.starts_with(entity.first); });
    const bool known = found != kEntities.end();
    token += known ? found->second : '&';
    escaped.remove_prefix(known ? found->first.size() : 1);
  }
}

// Where a line ends (at its line feed), and where its first column ends. `stop` is null if there is no line feed.
struct LineEnds {
  const char* stop;
  const char* column;
};

// Looks for tabs and line feeds in eight bytes at a time: lines are too short for two calls of memchr.
inline LineEnds line_ends(const char* start, const char* end) noexcept {
  const char* tab = nullptr;
  if constexpr (std::endian::native == std::endian::little) {
    constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
    // Mycroft's test: the lowest set bit marks the first such byte; higher bits may be carries.
    const auto places_of = [](std::uint64_t group, char byte) {
      group ^= kOnes * static_cast<unsigned char>(byte);
      return (group - kOnes) & ~group & (kOnes << 7);
    };
    for (; end - start >= 8; start += 8) {
      std::uint64_t group;
      std::memcpy(&group, start, 8);
      const std::uint64_t stops = places_of(group, '\n'), tabs = places_of(group, '\t');
      if (tabs != 0 && tab == nullptr) tab = start + std::countr_zero(tabs) / 8;
      if (stops != 0) {
        const char* const stop = start + std::countr_zero(stops) / 8;
        return {stop, tab != nullptr && tab < stop ? tab : stop};
      }
    }
  }
  for (; start != end; ++start) {
    if (*start == '\t' && tab == nullptr) tab = start;
    if (*start == '\n') return {start, tab != nullptr ? tab : start};
  }
  return {nullptr, nullptr};
}

// Splits a stream of bytes into lines and calls a sink:
//   void document_begin(); void document_end(); void block_begin();
//   void token(std::string_view first_column);  // unescaped; never empty
// Ignores structures other than <doc>, </doc> and <p> (glue, sentences of a tagger), tokens outside documents, and
// blocks with the attribute boilerplate="1", which a corpus has if it keeps boilerplate.
template <class Sink>
class VerticalReader {
 public:
  explicit VerticalReader(Sink& sink) : sink_(sink) {}

  // The calls do not depend on how the stream is split into chunks.
  void feed(std::string_view chunk) {
    const char* start = chunk.data();
    const char* const end = start + chunk.size();
    const char* ampersand = next_ampersand(start, end);  // at or after the start of the line
    while (true) {
      const auto [stop, column] = line_ends(start, end);
      if (stop == nullptr) break;
      const bool escaped = ampersand < column;
      if (ampersand < stop) ampersand = next_ampersand(stop, end);
      if (partial_.empty()) {
        line({start, static_cast<std::size_t>(stop - start)}, static_cast<std::size_t>(column - start), escaped);
      } else {
        partial_.append(start, stop);
        whole_line(partial_);
        partial_.clear();
      }
      start = stop + 1;
    }
    partial_.append(start, end);
  }

  // Must be called after the last chunk: ends a last line without a line feed, and an open document.
  void finish() {
    if (!partial_.empty()) whole_line(std::exchange(partial_, {}));
    if (inside_) sink_.document_end();
    inside_ = false;
  }

 private:
  static bool named(std::string_view line, std::string_view name) noexcept {
    return line.substr(1, name.size()) == name &&
           (line[1 + name.size()] == ' ' || line[1 + name.size()] == '>' || line[1 + name.size()] == '/');
  }

  static const char* next_ampersand(const char* start, const char* end) noexcept {
    const void* const found = start == end ? nullptr : std::memchr(start, '&', static_cast<std::size_t>(end - start));
    return found != nullptr ? static_cast<const char*>(found) : end;
  }

  void whole_line(std::string_view text) {
    const auto column = std::min(text.find('\t'), text.size());
    line(text, column, text.substr(0, column).find('&') != std::string_view::npos);
  }

  // `column` is the length of the first column, which has an ampersand if it is `escaped`.
  void line(std::string_view text, std::size_t column, bool escaped) {
    if (text.empty()) return;
    if (is_structure(text)) {
      if (named(text, "doc")) {
        if (inside_) sink_.document_end();
        inside_ = true;
        skipped_ = false;
        sink_.document_begin();
      } else if (named(text, "/doc")) {
        if (inside_) sink_.document_end();
        inside_ = false;
      } else if (named(text, "p") && inside_) {
        skipped_ = text.find(" boilerplate=\"1\"") != std::string_view::npos;
        if (!skipped_) sink_.block_begin();
      }
      return;
    }
    if (!inside_ || skipped_ || column == 0) return;
    if (escaped) {
      unescape(text.substr(0, column), token_);
      sink_.token(token_);
    } else {
      sink_.token(text.substr(0, column));
    }
  }

  Sink& sink_;
  std::string partial_, token_;
  bool inside_ = false, skipped_ = false;
};

}  // namespace corpusprep
