#include "pages/markdown.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "text/unicode.hpp"

namespace corpusprep {

namespace {

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

constexpr bool begins_tag(char c) noexcept {
  const char small = static_cast<char>(c | 0x20);
  return (small >= 'a' && small <= 'z') || c == '/' || c == '!' || c == '?';
}

// White space, and the separators of ASCII, which some take for it.
bool is_space(char32_t c) noexcept { return unicode_class(c) == UnicodeClass::space || in_range(c, 0x1C, 0x1F); }

bool space_or_end(std::string_view text, std::size_t place) noexcept {
  return place >= text.size() || is_space(decode_utf8(text, place).code_point);
}

bool only_space(std::string_view text, std::size_t place) noexcept {
  while (place < text.size()) {
    const auto character = decode_utf8(text, place);
    if (!is_space(character.code_point)) return false;
    place += character.length;
  }
  return true;
}

// Returns how many characters at the start of the text are among these.
std::size_t run_of(std::string_view text, std::string_view characters) noexcept {
  return std::min(text.find_first_not_of(characters), text.size());
}

// Returns whether a line that begins so would be a heading, a quotation, an item, a fence, a rule or an underline.
bool begins_other(std::string_view text) noexcept {
  if (text.empty()) return false;
  if (text[0] == '#') {
    const auto marks = run_of(text, "#");
    return marks <= 6 && space_or_end(text, marks);
  }
  if (text[0] == '>') return true;
  if ((text[0] == '-' || text[0] == '+' || text[0] == '*') && space_or_end(text, 1)) return true;
  if (text.starts_with("```") || text.starts_with("~~~")) return true;
  const auto rule = run_of(text, "-=_*");
  if (rule >= 3 && only_space(text, rule)) return true;
  const auto underline = run_of(text, "=");
  return underline != 0 && only_space(text, underline);
}

// Returns where the mark behind an ordinal stands, such as "1. "; 0 if the text begins with none.
std::size_t ordinal_mark(std::string_view text) noexcept {
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  const bool marked =
      digits >= 1 && digits <= 9 && digits < text.size() && (text[digits] == '.' || text[digits] == ')');
  return marked && space_or_end(text, digits + 1) ? digits : 0;
}

// Returns so many backticks as a fence needs: more than stand together anywhere in the code.
std::size_t fence_of(std::string_view code, std::size_t least) noexcept {
  for (auto place = code.find('`'); place != std::string_view::npos; place = code.find('`', place)) {
    const auto backticks = run_of(code.substr(place), "`");
    least = std::max(least, backticks + 1);
    place += backticks;
  }
  return least;
}

// Writes one page.
class MarkdownWriter {
 public:
  explicit MarkdownWriter(std::vector<MarkdownSpan>& spans) : spans_(spans) {}

  std::string write(const std::vector<MarkdownBlock>& blocks);

 private:
  using Blocks = const MarkdownBlock*;
  static std::int32_t place(const MarkdownBlock& block, Place which) noexcept {
    return block.places[static_cast<std::size_t>(which)];
  }
  // Returns the end of the blocks from `first` on that share these places.
  template <Place... which>
  static Blocks end_of(Blocks first, Blocks end) noexcept {
    return std::find_if(
        first, end, [&](const MarkdownBlock& block) { return ((place(block, which) != place(*first, which)) || ...); });
  }
  static bool is_data(Blocks first, Blocks end) noexcept;
  bool begins_item(const MarkdownBlock& block) const {
    const auto item = place(block, Place::item);
    return item == 0 || !items_.contains(item);
  }
  void write_block(const MarkdownBlock& block);
  void write_code(Blocks first, Blocks end);
  void write_table(Blocks first, Blocks end);
  void write_inline(const MarkdownBlock& block);
  void write_literal(std::string_view text);
  void escape_start(std::size_t start);

  std::vector<MarkdownSpan>& spans_;
  std::string out_;
  std::unordered_set<std::int32_t> items_;  // that have their mark
  std::vector<std::pair<std::size_t, std::string_view>> closing_;
};

std::string MarkdownWriter::write(const std::vector<MarkdownBlock>& blocks) {
  std::size_t size = 0;
  for (const auto& block : blocks) size += block.text.size() + kListIndent;
  out_.reserve(size + size / 8);
  bool in_list = false, any = false;
  const auto last = blocks.data() + blocks.size();
  for (Blocks first = blocks.data(); first != last;) {
    const auto end = end_of<Place::preformatted, Place::table>(first, last);
    const bool code = place(*first, Place::preformatted) != 0;
    if (code || (place(*first, Place::table) != 0 && is_data(first, end))) {
      if (any) out_ += "\n\n";
      code ? write_code(first, end) : write_table(first, end);
      in_list = false;
    } else {
      for (Blocks block = first; block != end; ++block) {
        const bool item = place(*block, Place::lists) > 0;
        if (any || block != first) out_ += in_list && item && begins_item(*block) ? "\n" : "\n\n";
        write_block(*block);
        in_list = item;
      }
    }
    any = true;
    first = end;
  }
  return std::move(out_);
}

// Returns whether a table has data: tables may only place text on the page.
bool MarkdownWriter::is_data(Blocks first, Blocks end) noexcept {
  std::size_t cells = 0, wide = 0, tables = 0;
  std::uint64_t words = 0;
  bool unknown = false;
  for (Blocks line = first; line != end;) {
    const auto line_end = end_of<Place::row>(line, end);
    std::size_t in_line = 0;
    for (Blocks cell = line; cell != line_end; cell = end_of<Place::cell>(cell, line_end)) ++in_line;
    cells += in_line;
    wide += in_line > 1;
    line = line_end;
  }
  if (wide < 2) return false;
  for (Blocks block = first; block != end; ++block) {
    tables += block->kind == MarkdownKind::table;
    unknown = unknown || block->kind == MarkdownKind::unknown;
    words += block->words;
  }
  return unknown ? words <= kCellWords * cells : 2 * tables >= static_cast<std::size_t>(end - first);
}

// Writes a paragraph, heading or item.
void MarkdownWriter::write_block(const MarkdownBlock& block) {
  const auto lists = place(block, Place::lists), level = place(block, Place::level);
  for (auto quotes = std::min(place(block, Place::quotes), kMostQuotes); quotes > 0; --quotes) out_ += "> ";
  if (lists > 0) {
    const bool begins = begins_item(block);
    out_.append(kListIndent * static_cast<std::size_t>(begins ? lists - 1 : lists), ' ');
    if (begins) {
      const auto ordinal = place(block, Place::ordinal);
      out_ += ordinal != 0 ? std::to_string(ordinal) + ". " : "- ";
    }
    items_.insert(place(block, Place::item));
  } else if (level > 0) {
    out_.append(static_cast<std::size_t>(level), '#') += ' ';
  }
  const auto start = out_.size();
  write_inline(block);
  if (lists > 0 || level <= 0) escape_start(start);
}

// Writes the blocks of one <pre> as fenced code.
void MarkdownWriter::write_code(Blocks first, Blocks end) {
  const auto start = out_.size();
  for (Blocks block = first; block != end; ++block) {
    if (block != first) out_ += '\n';
    const auto& lines = block->lines.empty() ? block->text : block->lines;
    const auto from = run_of(lines, "\n"), to = lines.find_last_not_of('\n');
    if (from < lines.size()) out_ += lines.substr(from, to + 1 - from);
  }
  const std::string fence(fence_of(std::string_view(out_).substr(start), 3), '`');
  out_.insert(start, fence + '\n');
  out_ += '\n';
  out_ += fence;
}

// Writes the blocks of one table as a table; its first row is the header.
void MarkdownWriter::write_table(Blocks first, Blocks end) {
  std::size_t width = 0;
  for (Blocks line = first; line != end;) {
    const auto line_end = end_of<Place::row>(line, end);
    std::size_t cells = 0;
    for (Blocks cell = line; cell != line_end; cell = end_of<Place::cell>(cell, line_end)) ++cells;
    width = std::max(width, cells);
    line = line_end;
  }
  std::string table = std::exchange(out_, {});
  for (Blocks line = first; line != end;) {
    const auto line_end = end_of<Place::row>(line, end);
    if (line != first) table += '\n';
    std::size_t cells = 0;
    table += "| ";
    for (Blocks cell = line; cell != line_end; ++cells) {
      const auto cell_end = end_of<Place::cell>(cell, line_end);
      if (cells != 0) table += " | ";
      for (const auto cell_start = cell; cell != cell_end; ++cell) {
        if (cell != cell_start) out_ += ' ';
        write_inline(*cell);
      }
      for (const char c : out_) {
        if (c == '|') table += '\\';
        table += c;
      }
      out_.clear();
    }
    for (; cells < width; ++cells) table += " | ";
    table += " |";
    if (line == first) {
      table += "\n|";
      for (std::size_t column = 0; column < width; ++column) table += " --- |";
    }
    line = line_end;
  }
  out_ = std::move(table);
}

// Writes the text of a block with its spans; those inside code are left out.
void MarkdownWriter::write_inline(const MarkdownBlock& block) {
  const auto text = block.text;
  if (block.first_span == block.end_span) return write_literal(text);
  const auto begin = spans_.begin() + static_cast<std::ptrdiff_t>(block.first_span),
             end_span = spans_.begin() + static_cast<std::ptrdiff_t>(block.end_span);
  // Outer spans first: they begin before, or end after, those inside.
  std::stable_sort(begin, end_span, [](const MarkdownSpan& one, const MarkdownSpan& other) {
    return std::tie(one.start, other.end, one.kind) < std::tie(other.start, one.end, other.kind);
  });
  std::size_t position = 0;
  closing_.clear();
  const auto write_until = [&](std::size_t end) {
    while (!closing_.empty() && closing_.back().first <= end) {
      const auto [stop, target] = closing_.back();
      closing_.pop_back();
      write_literal(text.substr(position, stop - position));
      ((out_ += "](") += target) += ')';
      position = stop;
    }
    write_literal(text.substr(position, end - position));
    position = end;
  };
  for (auto span = begin; span != end_span; ++span) {
    std::size_t start = span->start, end = std::min<std::size_t>(span->end, text.size());
    while (start < end && text[start] == ' ') ++start;
    while (start < end && text[end - 1] == ' ') --end;
    if (start < position || start >= end) continue;
    write_until(start);
    if (!closing_.empty() && end > closing_.back().first) continue;  // it would end outside of the link around it
    if (span->kind == SpanKind::code) {
      const auto code = text.substr(start, end - start);
      const auto fence = fence_of(code, 1);
      const bool apart = code.front() == '`' || code.back() == '`';
      out_.append(fence, '`').append(apart, ' ').append(code).append(apart, ' ').append(fence, '`');
      position = end;
    } else if (!span->target.empty()) {
      out_ += '[';
      closing_.emplace_back(end, span->target);
    }
  }
  write_until(text.size());
}

// Writes text in which no tag begins.
void MarkdownWriter::write_literal(std::string_view text) {
  std::size_t written = 0;
  for (auto tag = text.find('<'); tag != std::string_view::npos; tag = text.find('<', tag + 1)) {
    if (tag + 1 == text.size() || !begins_tag(text[tag + 1])) continue;
    out_ += text.substr(written, tag - written);
    out_ += '\\';
    written = tag;
  }
  out_ += text.substr(written);
}

// Escapes what would begin a list, a heading, a quotation or a fence at the start of a line.
void MarkdownWriter::escape_start(std::size_t start) {
  const auto text = std::string_view(out_).substr(start);
  if (begins_other(text)) {
    out_.insert(start, 1, '\\');
  } else if (const auto mark = ordinal_mark(text)) {
    out_.insert(start + mark, 1, '\\');
  }
}

}  // namespace

std::string markdown(const std::vector<MarkdownBlock>& blocks, std::vector<MarkdownSpan>& spans) {
  return MarkdownWriter(spans).write(blocks);
}

}  // namespace corpusprep
