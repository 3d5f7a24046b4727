#include "pages/outline.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "pages/segmentation.hpp"

namespace corpusprep {

namespace {

constexpr std::uint8_t tag_of(std::string_view name) {
  return static_cast<std::uint8_t>(std::ranges::find(kBlockTags, name) - kBlockTags.begin());
}

constexpr auto kQuote = tag_of("blockquote"), kItem = tag_of("li"), kOrdered = tag_of("ol"), kUnordered = tag_of("ul"),
               kMenu = tag_of("menu"), kPre = tag_of("pre"), kTable = tag_of("table"), kRow = tag_of("tr"),
               kCell = tag_of("td"), kHeaderCell = tag_of("th"), kFirstHeading = tag_of("h1");
static_assert(kFirstHeading + 5 == tag_of("h6"));

// Returns the value of an attribute as it stands, up to the first reference that the parser left; empty if it has none.
std::string_view attribute(const xmlNode& node, std::string_view name) {
  for (const xmlAttr* attribute = node.properties; attribute; attribute = attribute->next) {
    if (reinterpret_cast<const char*>(attribute->name) != name) continue;
    const xmlNode* value = attribute->children;
    if (value && value->content) return reinterpret_cast<const char*>(value->content);
    return {};
  }
  return {};
}

std::int32_t first_ordinal(const xmlNode& list) {
  const auto start = attribute(list, "start");
  std::int32_t number = 1;
  const auto [end, error] = std::from_chars(start.data(), start.data() + start.size(), number);
  return error == std::errc() && number >= 0 && number < 1'000'000 ? number : 1;
}

}  // namespace

void OutlineColumns::clear() {
  places.clear();
  lines.clear();
  line_offsets.assign(1, 0);
  span_blocks.clear();
  span_starts.clear();
  span_ends.clear();
  span_kinds.clear();
  span_targets.clear();
  targets.clear();
  target_offsets.assign(1, 0);
}

void OutlineBuilder::open(const Element& element, const xmlNode& node, std::size_t text_end) {
  if (element.line_break) text("\n");
  if (!element.block) {
    const auto target = element.link ? attribute(node, "href") : std::string_view();
    if ((!target.empty() || element.code) && spans_.size() < kMostOpenSpans) {
      spans_.push_back({element.code ? SpanKind::code : SpanKind::link, text_end, target, -1});
      open_.push_back(Kind::span);
    } else {
      open_.push_back(Kind::none);
    }
    return;
  }
  const auto tag = element.tag;
  const auto outside = now_;
  auto kind = Kind::place;
  if (element.heading) {
    place(Place::level) = tag - kFirstHeading + 1;
  } else if (tag == kQuote) {
    ++place(Place::quotes);
  } else if (tag == kOrdered || tag == kUnordered || tag == kMenu) {
    ++place(Place::lists);
    place(Place::item) = place(Place::ordinal) = 0;
    lists_.push_back({tag == kOrdered, tag == kOrdered ? first_ordinal(node) : 0});
    kind = Kind::ordered;
  } else if (tag == kItem) {
    place(Place::item) = ++items_;
    place(Place::ordinal) = !lists_.empty() && lists_.back().ordered ? lists_.back().next++ : 0;
  } else if (tag == kPre) {
    place(Place::preformatted) = ++preformatted_;
  } else if (tag == kTable) {
    place(Place::table) = ++tables_;
    place(Place::row) = place(Place::cell) = 0;
  } else if (tag == kRow) {
    place(Place::row) = ++rows_;
    place(Place::cell) = 0;
  } else if (tag == kCell || tag == kHeaderCell) {
    place(Place::cell) = ++cells_;
  } else {
    kind = Kind::none;
  }
  if (kind != Kind::none) around_.push_back(outside);
  open_.push_back(kind);
}

void OutlineBuilder::close(std::size_t text_end) {
  const auto kind = open_.back();
  open_.pop_back();
  if (kind == Kind::span) {
    add_span(spans_.back(), text_end);
    spans_.pop_back();
  } else if (kind != Kind::none) {
    if (kind == Kind::ordered) lists_.pop_back();
    now_ = around_.back();
    around_.pop_back();
  }
}

void OutlineBuilder::add_span(Span& span, std::size_t text_end) {
  const auto start = std::max(span.start, block_start_);
  if (start >= text_end) return;
  columns_.span_blocks.push_back(static_cast<std::int64_t>(columns_.places.size()));
  columns_.span_starts.push_back(static_cast<std::uint32_t>(start - block_start_));
  columns_.span_ends.push_back(static_cast<std::uint32_t>(text_end - block_start_));
  columns_.span_kinds.push_back(static_cast<std::uint8_t>(span.kind));
  if (span.kind == SpanKind::link && span.number < 0) {
    span.number = static_cast<std::int64_t>(columns_.target_offsets.size()) - 1;
    columns_.targets.append(span.target);
    columns_.target_offsets.push_back(static_cast<std::int64_t>(columns_.targets.size()));
  }
  columns_.span_targets.push_back(span.number);
}

void OutlineBuilder::move_spans(std::size_t from, std::size_t to) noexcept {
  for (auto& span : spans_) {
    if (span.start > from) span.start = to;
  }
  const auto first = static_cast<std::uint32_t>(from - block_start_),
             last = static_cast<std::uint32_t>(to - block_start_);
  const auto block = static_cast<std::int64_t>(columns_.places.size());
  for (auto i = columns_.span_blocks.size(); i != 0 && columns_.span_blocks[i - 1] == block; --i) {
    if (columns_.span_ends[i - 1] <= first) break;
    columns_.span_ends[i - 1] = last;
    columns_.span_starts[i - 1] = std::min(columns_.span_starts[i - 1], first);
  }
}

void OutlineBuilder::begin_block(std::size_t text_end) {
  columns_.lines.resize(static_cast<std::size_t>(columns_.line_offsets.back()));  // white space between two blocks
  block_start_ = text_end;
  block_ = now_;
}

void OutlineBuilder::end_block(std::size_t text_end) {
  for (auto& span : spans_) add_span(span, text_end);
  columns_.places.push_back(block_);
  columns_.line_offsets.push_back(static_cast<std::int64_t>(columns_.lines.size()));
}

void OutlineBuilder::abandon_page(std::size_t blocks) {
  columns_.places.resize(blocks);
  columns_.line_offsets.resize(blocks + 1);
  columns_.lines.resize(static_cast<std::size_t>(columns_.line_offsets.back()));
  auto spans = columns_.span_blocks.size();
  while (spans > 0 && std::cmp_greater_equal(columns_.span_blocks[spans - 1], blocks)) --spans;
  columns_.span_blocks.resize(spans);
  columns_.span_starts.resize(spans);
  columns_.span_ends.resize(spans);
  columns_.span_kinds.resize(spans);
  columns_.span_targets.resize(spans);
  end_page();
}

void OutlineBuilder::end_page() {
  now_ = {};
  open_.clear();
  around_.clear();
  lists_.clear();
  spans_.clear();
}

}  // namespace corpusprep
