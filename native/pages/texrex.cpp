#include "pages/texrex.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "pages/bytes.hpp"

namespace corpusprep {

namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::size_t kLongestName = 32;  // bytes of a tag's name that are read, and of the name of a reference
constexpr std::size_t kLongestTitle = 1 << 16;

constexpr bool digit(char c) noexcept { return c >= '0' && c <= '9'; }

bool same(std::string_view text, std::string_view lower_case) {
  return text.size() == lower_case.size() && std::ranges::equal(text, lower_case, {}, ascii_lower);
}

bool contains(std::string_view text, std::string_view lower_case) {
  for (std::size_t at = 0; at + lower_case.size() <= text.size(); ++at) {
    if (same(text.substr(at, lower_case.size()), lower_case)) return true;
  }
  return false;
}

// The characters that windows-1252 has at 0x80 to 0x9F; 0 where it has none.
constexpr std::array<char32_t, 32> kWindows1252 = {0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                   0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                                   0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                   0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

char32_t character_of(char32_t number) noexcept {
  if (number == 0 || number > 0x10FFFF || (number >= 0xD800 && number <= 0xDFFF)) return 0xFFFD;
  if (number >= 0x80 && number <= 0x9F && kWindows1252[number - 0x80] != 0) return kWindows1252[number - 0x80];
  return number;
}

double limited(double value, double most) noexcept { return value > most ? 1.0 : value / most; }

// How far a share of the page, 0 to 1, is from its middle.
double from_middle(double place) noexcept { return place > 0.5 ? (place - 0.5) * 2 : (0.5 - place) * 2; }

}  // namespace

std::int64_t TexrexReader::characters(std::size_t from, std::size_t to) const {
  const auto part = page_.substr(from, to - from);
  return std::ranges::count_if(part, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

std::size_t TexrexReader::tag_end(std::size_t from) {
  char quote = 0;
  std::size_t plain = kNone;  // the first ">", quoted or not
  for (std::size_t at = from; at < page_.size(); ++at) {
    const char c = page_[at];
    if (c == '>') {
      if (quote == 0) return at + 1;
      if (plain == kNone) plain = at + 1;
    } else if (quotes_ && (c == '"' || c == '\'')) {
      if (quote == 0) {
        quote = c;
      } else if (quote == c) {
        quote = 0;
      }
    }
  }
  if (plain == kNone) return page_.size();
  quotes_ = false;  // once in each reading of the page: both stay linear
  return plain;
}

// Finds the first tag at or after `from`; false if there is none.
bool TexrexReader::next_tag(std::size_t from, Tag& tag) {
  for (std::size_t at = find_byte(page_, '<', from); at + 1 < page_.size(); at = find_byte(page_, '<', at + 1)) {
    const char first = page_[at + 1];
    if (!markup_letter(first) && first != '/' && first != '!' && first != '?') continue;
    tag.start = at;
    const auto rest = page_.substr(at + 1);
    const auto skip_to = [&](std::string_view name, std::string_view end) {
      const std::size_t found = page_.find(end, at + 1 + name.size());
      tag.name = name;
      tag.end = found == kNone ? page_.size() : found + end.size();
      return true;
    };
    if (rest.starts_with("!--")) return skip_to("!--", "-->");
    if (same(rest.substr(0, 8), "![cdata[")) return skip_to("![cdata[", "]]>");
    std::size_t end = at + 2;
    name_.assign(1, ascii_lower(first));
    while (end < page_.size() && !markup_space(page_[end]) && page_[end] != '>' && page_[end] != '/') {
      if (name_.size() < kLongestName) name_ += ascii_lower(page_[end]);
      ++end;
    }
    tag.name = name_;
    tag.end = tag_end(end);
    return true;
  }
  return false;
}

// Returns where the end tag of a name begins at or after `from`; the page's end if there is none.
std::size_t TexrexReader::find_end_tag(std::string_view name, std::size_t from) const {
  for (std::size_t at = page_.find("</", from); at != kNone; at = page_.find("</", at + 2)) {
    if (same(page_.substr(at + 2, name.size()), name)) return at;
  }
  return page_.size();
}

// Reads the page's head: its type and title. Returns where its text begins.
std::size_t TexrexReader::body_start() {
  std::size_t start = 0;
  std::size_t end_of_head = 0;
  bool titles_end = true;  // a title without an end tag ends at the next tag; it is looked for once
  Tag tag;
  while (next_tag(start, tag)) {
    start = tag.end;
    if (tag.name == "body") return start;
    if (tag.name == "/head") end_of_head = start;
    if (tag.name == "!doctype" && doctype_ == kUndeclared) {
      const auto declared = page_.substr(tag.start, tag.end - tag.start);
      auto words = declared.substr(std::min<std::size_t>(declared.size(), 9));
      if (contains(declared, "xhtml 1")) {
        doctype_ = kXhtml;
      } else if (contains(declared, "html 4")) {
        doctype_ = kHtml4;
      } else {
        while (!words.empty() && (markup_space(words.back()) || words.back() == '>')) words.remove_suffix(1);
        while (!words.empty() && markup_space(words.front())) words.remove_prefix(1);
        if (same(words, "html")) doctype_ = kHtml5;
      }
    } else if (tag.name == "script" || tag.name == "style") {
      start = find_end_tag(tag.name, start);
    } else if (tag.name == "title" && titles_end) {
      std::size_t end = find_end_tag("title", start);
      titles_end = end < page_.size();
      if (!titles_end) end = find_byte(page_, '<', start);
      if (title_.empty()) put_references(page_.substr(start, std::min(end - start, kLongestTitle)), title_);
      start = end;
    }
  }
  return end_of_head;
}

std::size_t TexrexReader::reference(std::string_view raw, std::string& out) const {
  if (raw.size() > 2 && raw[1] == '#') {
    const bool hexadecimal = ascii_lower(raw[2]) == 'x';
    const std::size_t first = hexadecimal ? 3 : 2;
    std::size_t at = first;
    char32_t number = 0;
    for (; at < raw.size(); ++at) {
      const char c = ascii_lower(raw[at]);
      const bool hex_letter = hexadecimal && c >= 'a' && c <= 'f';
      if (!digit(c) && !hex_letter) break;
      const auto value = static_cast<char32_t>(hex_letter ? c - 'a' + 10 : c - '0');
      number = std::min<char32_t>(number * (hexadecimal ? 16 : 10) + value, 0x110000);
    }
    if (at == first) return 0;
    append_utf8(character_of(number), out);
    return at + (at < raw.size() && raw[at] == ';');
  }
  std::size_t end = 1;
  while (end < raw.size() && end <= kLongestName && (markup_letter(raw[end]) || digit(raw[end]))) ++end;
  std::string name(raw.substr(1, end - 1));
  if (end < raw.size() && raw[end] == ';') {
    name += ';';
    if (const auto found = references_.find(name); found != references_.end()) {
      out += found->second;
      return end + 1;
    }
    name.pop_back();
  }
  for (; name.size() >= 2; name.pop_back()) {
    if (const auto found = references_.find(name); found != references_.end()) {
      out += found->second;
      return name.size() + 1;
    }
  }
  return 0;
}

void TexrexReader::put_references(std::string_view raw, std::string& out) const {
  std::size_t at = 0;
  while (at < raw.size()) {
    const std::size_t sign = find_byte(raw, '&', at);
    out.append(raw.substr(at, sign - at));
    if (sign >= raw.size()) return;
    const std::size_t length = reference(raw.substr(sign), out);
    if (length == 0) out += '&';
    at = sign + std::max<std::size_t>(length, 1);
  }
}

void TexrexReader::put_text(std::string_view raw) {
  if (raw.empty()) return;
  has_text_ =
      has_text_ || std::ranges::any_of(raw, [](char c) { return c != ' ' && c != '\t' && c != '\n' && c != '\r'; });
  if (find_byte(raw, '&', 0) < raw.size()) {
    decoded_.clear();
    put_references(raw, decoded_);
    raw = decoded_;
  }
  builder_.text(raw);
}

void TexrexReader::follow_links(std::string_view name) {
  static const Element link = element_named("a");
  if (linked_ && (name == "a" || name == "/a")) {
    builder_.close(link);
    linked_ = false;
  }
  if (name == "a") {
    builder_.open(link);
    linked_ = true;
  }
}

void TexrexReader::count_tag(std::string_view name) {
  if (name[0] == '/') {
    ++div_.close;
  } else {
    ++div_.open;
    div_.anchors += name[0] == 'a';
  }
}

bool TexrexReader::left_out(std::string_view name) const {
  static constexpr std::array<std::string_view, 10> kLeftOut = {"script", "style", "head",  "applet",   "code",
                                                                "audio",  "video", "title", "template", "svg"};
  return (name == "form" && !forms_) || std::ranges::find(kLeftOut, name) != kLeftOut.end();
}

// Ends a block at a tag that ends at `at`; an empty name stands for the start or the end of the page.
void TexrexReader::new_div(std::string_view name, std::size_t at) {
  static const Element break_between_blocks = element_named("div");
  static const std::unordered_map<std::string_view, Container> containers = {
      {"article", kArticle},      {"section", kSection}, {"div", kDiv},    {"p", kP},
      {"h1", kHeading},           {"h2", kHeading},      {"h3", kHeading}, {"h4", kHeading},
      {"h5", kHeading},           {"h6", kHeading},      {"li", kLi},      {"td", kTd},
      {"blockquote", kBlockquote}};
  const std::size_t blocks = columns_.size();
  if (!in_container_) builder_.open(break_between_blocks);
  builder_.close(in_container_ ? container_ : break_between_blocks);
  in_container_ = false;
  if (has_text_) {
    div_.raw = characters(div_.raw_start, at) - 1;
    div_.skipped = skipped_;
    div_.valid = columns_.size() > blocks;
    divs_.push_back(div_);
    div_ = {};
    skipped_ = 0;
    has_text_ = false;
  } else {
    ++skipped_;
  }
  div_.raw_start = at;
  if (name.empty()) return;
  div_.after_end_tag = name[0] == '/';
  div_.container = containers.at(div_.after_end_tag ? name.substr(1) : name);
  if (!div_.after_end_tag) {
    container_ = element_named(name);
    builder_.open(container_);
    in_container_ = true;
  }
}

void TexrexReader::read_body(std::size_t from) {
  static constexpr std::array<std::string_view, 13> kBreaks = {
      "article", "blockquote", "div", "h1", "h2", "h3", "h4", "h5", "h6", "li", "p", "section", "td"};
  std::string until;  // the end tag of what is left out; empty: text counts
  std::size_t at = from;
  quotes_ = true;  // the page's head was read for its own sake
  Tag tag;
  new_div({}, at);
  while (next_tag(at, tag)) {
    if (until.empty()) put_text(page_.substr(at, tag.start - at));
    at = tag.end;
    const auto name = tag.name;
    const auto plain = name[0] == '/' ? name.substr(1) : name;
    count_tag(name);
    if (name == "br" && until.empty()) builder_.text(" ");
    follow_links(name);
    if (name == "/body") break;
    if (name == "script" || name == "style") {
      const std::size_t end = find_end_tag(name, at);
      if (until.empty()) until.assign("/").append(name);
      at = end;
    } else if (until.empty() && left_out(name)) {
      until.assign("/").append(name);
    } else if (until == name) {
      until.clear();
    } else if (until.empty() && std::ranges::find(kBreaks, plain) != kBreaks.end()) {
      new_div(name, at);
    }
  }
  if (tag.name != "/body" && until.empty()) put_text(page_.substr(at));
  new_div({}, tag.name == "/body" ? at : page_.size());
}

void TexrexReader::add(std::string_view page) {
  page_ = page;
  divs_.clear();
  div_ = {};
  title_.clear();
  skipped_ = 0;
  doctype_ = kUndeclared;
  has_text_ = in_container_ = linked_ = false;
  quotes_ = true;
  const std::size_t first_block = columns_.size();
  read_body(body_start());
  follow_links("/a");
  builder_.end_page();
  measure(first_block);
}

void TexrexReader::put(double value) {
  constexpr double one = 1 << kTexrexPlaces;
  const double rounded = std::floor(value * one + 0.5);
  const double most = std::numeric_limits<std::int16_t>::max();
  features_.push_back(static_cast<std::int16_t>(std::clamp(rounded, -most, most)));
}

// Puts the features 5 to 20.
void TexrexReader::put_text_features(const TexrexTextCounts& counts, const Div& div, double markup) {
  const auto characters = static_cast<double>(counts.characters);
  const double dense = std::max(1.0, characters - static_cast<double>(counts.spaces));
  const auto letters = counts.upper + counts.lower;
  const auto per_dense = [&](std::int64_t count) { put(static_cast<double>(count) / dense); };
  put(markup);
  put(static_cast<double>(counts.punctuation) / characters);
  for (const auto count : {letters, counts.numbers, counts.tags, counts.emails, counts.uris, counts.hashtags,
                           counts.years, std::int64_t{div.anchors}}) {
    per_dense(count);
  }
  put(letters > 0 ? static_cast<double>(counts.upper) / static_cast<double>(letters) : 0);
  put(counts.sentences == 0);
  const auto sentences = std::max<std::int64_t>(counts.sentences, 1);
  const std::int64_t sentence_length = counts.characters / sentences;  // whole characters, as texrex divides
  put(limited(static_cast<double>(sentence_length), 100));
  put(limited(static_cast<double>(sentences), 10));
  put(counts.copyright);
  put(counts.ends_sentence);
}

// Returns the share of markup with one block on each side; `wide` becomes that with two. As texrex has them: a side
// without a measured block doubles what has been added so far, and the page's ends stand for themselves.
TexrexReader::Share TexrexReader::window(const std::vector<Share>& shares, std::size_t at, double& wide) {
  const std::size_t last = shares.size() - 1;
  double sum = shares[at].value;
  for (const std::size_t side : {at > 0 ? at - 1 : 0, at < last ? at + 1 : last}) {
    sum += shares[side].valid ? shares[side].value : sum;
  }
  double outer = 0;
  const auto add = [&](std::size_t place, bool inside) {
    if (!shares[place].valid) {
      outer += sum / 2;
    } else {
      outer = (inside ? outer : 0) + shares[place].value;
    }
  };
  add(at > 1 ? at - 2 : 0, at > 1);
  add(at + 2 <= last ? at + 2 : last, at + 2 <= last);
  wide = (sum + outer) / 5;
  return {sum / 3, true};
}

void TexrexReader::measure(std::size_t first_block) {
  std::vector<TexrexTextCounts> counts;
  std::vector<Share> shares;
  std::int64_t page_text = 0;
  std::size_t block = first_block;
  for (const auto& div : divs_) {
    counts.emplace_back();
    shares.emplace_back();
    if (!div.valid) continue;
    const auto start = static_cast<std::size_t>(columns_.offsets[block]);
    const auto end = static_cast<std::size_t>(columns_.offsets[block + 1]);
    ++block;
    counts.back() = text_.count(std::string_view(columns_.text).substr(start, end - start));
    page_text += counts.back().characters;
    const auto raw = static_cast<double>(std::max<std::int64_t>(div.raw, 1));
    shares.back() = {(raw - static_cast<double>(counts.back().characters)) / raw, true};
  }
  shares.emplace_back();  // texrex begins a block at the end of the page, which stays empty
  const auto page_length = static_cast<double>(std::max<std::int64_t>(characters(0, page_.size()), 1));
  const auto text_length = static_cast<double>(std::max<std::int64_t>(page_text, 1));
  const auto div_count = static_cast<double>(divs_.size() + 1);
  std::int64_t before = 0;
  for (std::size_t i = 0; i < divs_.size(); ++i) {
    const auto& div = divs_[i];
    if (!div.valid) continue;
    const auto length = static_cast<double>(counts[i].characters);
    put(limited(length, 1000));
    put(length / text_length);
    put(from_middle((static_cast<double>(before) + length / 2) / text_length));
    put(from_middle(static_cast<double>(i) / div_count));
    put(text_length / page_length);
    put_text_features(counts[i], div, shares[i].value);
    for (const auto type : {kXhtml, kHtml4, kHtml5}) put(doctype_ == type);
    for (const auto type : {kArticle, kSection, kDiv, kP, kHeading, kBlockquote, kTd, kLi}) put(div.container == type);
    put(div.after_end_tag);
    const double tags = static_cast<double>(div.open) + static_cast<double>(div.close);
    put(tags > 0 ? static_cast<double>(div.open) / tags : 0);
    put(limited(static_cast<double>(div.skipped), 20));
    double wide = 0;
    put(window(shares, i, wide).value);
    put(wide);
    before += counts[i].characters;
  }
}

}  // namespace corpusprep
