// Leaves out what no kernel reads, before the parser spends its time on it.
//
// What is left out is inside a start tag, a comment, or a script or style. So it must be known what each "<" means to
// the parser, in every version of it. At the first markup that versions may read in different ways, the rest of the
// page stays as it is.
#include <array>
#include <cstdint>
#include <cstring>

#include "pages/bytes.hpp"
#include "pages/markup.hpp"

namespace corpusprep {

namespace {

constexpr std::size_t kLongestName = 64;  // bytes; versions of libxml2 cut names at 100 or more

enum Class : std::uint8_t {
  kName = 1,            // in names, for all versions
  kAttributeStart = 2,  // at the beginning of names of attributes, for all versions
  kAttribute = 4,       // in what browsers take as names of attributes
  kBareValue = 8,       // in values without quotation marks; some versions end them at form feeds
  kSpace = 16,          // white space in tags, for all versions: some do not take form feeds as such
};

constexpr std::array<std::uint8_t, 256> kClasses = [] {
  std::array<std::uint8_t, 256> classes{};
  for (std::size_t code = 0; code < classes.size(); ++code) {
    const char byte = static_cast<char>(code);
    const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
    const bool digit = byte >= '0' && byte <= '9';
    std::uint8_t& found = classes[code];
    if (letter || digit || byte == '-' || byte == '_' || byte == ':' || byte == '.') found |= kName;
    if (letter || byte == '_' || byte == ':') found |= kAttributeStart;
    if (code > ' ' && byte != '/' && byte != '>' && byte != '=') found |= kAttribute;
    if (code > ' ' && byte != '>') found |= kBareValue;
    if (byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r') found |= kSpace;
  }
  return classes;
}();

bool is(Class kind, char byte) noexcept { return (kClasses[static_cast<unsigned char>(byte)] & kind) != 0; }

// Up to eight bytes of a name in lower case, as a number.
constexpr std::uint64_t key(std::string_view name) noexcept {
  std::uint64_t value = 0;
  for (const char byte : name) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

std::uint64_t lower_key(std::string_view name) noexcept {
  if (name.size() > 8) return 0;
  std::uint64_t value = 0;
  for (const char byte : name) value = value << 8 | static_cast<unsigned char>(ascii_lower(byte));
  return value;
}

bool same_name(std::string_view left, std::string_view right) noexcept {
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (ascii_lower(left[i]) != ascii_lower(right[i])) return false;
  }
  return true;
}

// Returns where the end tag of <body> or <html> ends that begins at `at`; `at` if none does. One with quotation marks
// is left to the parser.
std::size_t end_of_page_end(std::string_view page, std::size_t at) noexcept {
  constexpr std::size_t kName = 4;
  if (page.size() - at < kName + 3 || page[at + 1] != '/') return at;
  const auto name = page.substr(at + 2, kName);
  const char after = page[at + 2 + kName];
  if (after != '>' && after != '/' && !markup_space(after)) return at;
  if (!same_name(name, "body") && !same_name(name, "html")) return at;
  const std::size_t end = page.find_first_of("<>\"'", at + 2 + kName);
  return end < page.size() && page[end] == '>' ? end + 1 : at;
}

// Returns whether what stands before and behind a tag at `at` could become markup without it: a tag, or the begin or
// the end of a comment.
bool could_join(std::string_view page, std::size_t at) noexcept {
  const auto before = page.substr(at < 2 ? 0 : at - 2, at < 2 ? at : 2);
  return before.ends_with('<') || before == "<!" || before == "!-" || before == "--" || before == "-!";
}

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

bool begins_page(std::string_view name) noexcept {
  return same_name(name, "html") || same_name(name, "head") || same_name(name, "body");
}

// Returns where the "/" stands of a start tag of <html>, <head> or <body> that begins at `at` and ends in "/>", not in
// a value; kNone if none does. Browsers ignore it. The parser would end the element there, and begin another tree.
std::size_t slash_of_page_start(std::string_view page, std::size_t at) noexcept {
  if (page.size() - at < 7 || !begins_page(page.substr(at + 1, 4))) return kNone;
  std::size_t i = at + 5;
  if (page[i] != '>' && page[i] != '/' && !markup_space(page[i])) return kNone;
  for (; i < page.size(); ++i) {
    if (page[i] == '>') return page[i - 1] == '/' ? i - 1 : kNone;
    if (page[i] == '<' || page[i] == '"' || page[i] == '\'') return kNone;
    if (page[i] != '=') continue;
    do {
      ++i;
    } while (i < page.size() && markup_space(page[i]));
    if (i == page.size()) return kNone;
    if (page[i] == '"' || page[i] == '\'') {
      const char quote = page[i];
      do {
        ++i;
      } while (i < page.size() && page[i] != quote && page[i] != '<' && page[i] != '>');
      if (i == page.size() || page[i] != quote) return kNone;
    } else {
      while (i < page.size() && is(kBareValue, page[i]) && page[i] != '<') ++i;
      if (i == page.size() || page[i] == '<' || page[i] == '>') return kNone;
    }
  }
  return kNone;
}

// Copies a part of a page without these tags and slashes. Returns the bytes that were written.
std::size_t copy_joined(std::string_view page, std::size_t from, std::size_t to, char* out) noexcept {
  const std::string_view text = page.substr(from, to - from);
  std::size_t written = 0, copied = 0;
  const auto copy_to = [&](std::size_t end) {
    std::memcpy(out + written, text.data() + copied, end - copied);
    written += end - copied;
  };
  for (std::size_t at = find_byte(text, '<', 0); at < text.size(); at = find_byte(text, '<', at + 1)) {
    if (const std::size_t slash = slash_of_page_start(text, at); slash != kNone) {
      copy_to(slash);
      copied = slash + 1;
      continue;
    }
    const std::size_t end = end_of_page_end(text, at);
    if (end == at || could_join(page, from + at)) continue;
    copy_to(at);
    copied = end;
    at = end - 1;
  }
  copy_to(text.size());
  return written;
}

// Returns whether a word in lower case may be in a value: itself, or hidden behind a reference.
bool may_contain(std::string_view value, std::string_view word) noexcept {
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '&' || same_name(value.substr(i, word.size()), word)) return true;
  }
  return false;
}

// How the parser goes on after a start tag, and which attributes of the tag are read.
struct Tag {
  enum class Content : std::uint8_t { markup, script, style, text, unknown } content = Content::markup;
  bool whole = false;   // all attributes stay
  bool link = false;    // to another page
  bool anchor = false;  // <a>
};

Tag tag_named(std::string_view name) noexcept {
  switch (lower_key(name)) {
    case key("a"):
      return {.link = true, .anchor = true};
    case key("link"):
      return {.link = true};
    case key("html"):
    case key("meta"):
    case key("time"):
    case key("template"):
      return {.whole = true};
    case key("script"):
      return {.content = Tag::Content::script};
    case key("style"):
      return {.content = Tag::Content::style};
    case key("title"):
    case key("textarea"):
    case key("xmp"):
    case key("iframe"):
    case key("noembed"):
    case key("noframes"):
      return {.content = Tag::Content::text};
    default:
      return same_name(name, "plaintext") ? Tag{.content = Tag::Content::unknown} : Tag{};
  }
}

// What kernels read of an attribute (feature_elements.cpp, page_metadata.cpp, outline.cpp): always, or if a value says
// so.
enum class Kind : std::uint8_t { unread, read, id, name, style, rel, href, type };

Kind kind_of(std::string_view name) noexcept {
  switch (lower_key(name)) {
    case key("class"):
    case key("itemprop"):
    case key("itemtype"):
    case key("role"):
    case key("hidden"):
    case key("content"):
    case key("datetime"):
    case key("start"):
      return Kind::read;
    case key("id"):
      return Kind::id;
    case key("name"):
      return Kind::name;
    case key("style"):
      return Kind::style;
    case key("rel"):
      return Kind::rel;
    case key("href"):
      return Kind::href;
    case key("type"):
      return Kind::type;
    default:
      return same_name(name, "aria-hidden") ? Kind::read : Kind::unread;
  }
}

class LeanWriter {
 public:
  LeanWriter(std::string_view page, char* out)
      : page_(page), known_(page.substr(0, find_byte(page, '\0', 0))), out_(out) {}

  std::size_t write() {
    for (std::size_t at = find_byte(known_, '<', 0); at < known_.size(); at = find_byte(known_, '<', at)) {
      at = markup(at);
      if (at == kUnknown) break;
    }
    copy_joined_to(page_.size());
    return written_;
  }

 private:
  static constexpr std::size_t kUnknown = static_cast<std::size_t>(-1);

  struct Attribute {
    std::size_t start = 0, end = 0;  // with what separates it from the one before
    std::string_view name, value;
    enum class Value : std::uint8_t { none, bare, quoted } form = Value::none;
    Kind kind = Kind::unread;
    bool plain = false;         // the same attribute for all versions
    std::size_t separator = 0;  // bytes between it and the one before
    bool joined() const noexcept { return separator == 0; }
  };

  // What values of a tag may say. Of attributes with the same name the parser takes the first; here, one suffices.
  struct Says {
    bool hidden = false, author = false, page = false, data = false, target = false;

    void note(Kind kind, std::string_view value) noexcept {
      if (kind == Kind::id || kind == Kind::name) {
        target = true;
      } else if (kind == Kind::style) {
        hidden |= may_contain(value, "none") || may_contain(value, "hidden");
      } else if (kind == Kind::rel) {
        author |= may_contain(value, "author");
        page |= may_contain(value, "license") || may_contain(value, "canonical");
      } else if (kind == Kind::type) {
        data |= may_contain(value, "json");
      }
    }
  };

  void copy_to(std::size_t end) noexcept {
    std::memcpy(out_ + written_, page_.data() + copied_, end - copied_);
    written_ += end - copied_;
    copied_ = end;
  }

  void copy_joined_to(std::size_t end) noexcept {
    written_ += copy_joined(page_, copied_, end, out_ + written_);
    copied_ = end;
  }

  void leave_out(std::size_t from, std::size_t end) noexcept {
    if (whole_) return;
    copy_to(from);
    copied_ = end;
  }

  char byte(std::size_t position) const noexcept { return position < known_.size() ? known_[position] : '\0'; }

  // Reads what begins with the "<" at `at`. Returns where the text behind it begins; kUnknown if that depends on the
  // version.
  std::size_t markup(std::size_t at) {
    const char next = byte(at + 1);
    if (markup_letter(next)) return start_tag(at);
    if (next == '!' && byte(at + 2) == '-' && byte(at + 3) == '-') return comment(at + 4);
    if (next == '/') {
      const std::size_t end = could_join(page_, at) ? at : end_of_page_end(page_, at);
      leave_out(at, end);
      return end > at ? end : behind_tag(at + 2);
    }
    return next == '!' || next == '?' ? behind_tag(at + 2) : at + 1;
  }

  // Returns what is behind the next ">" of an end tag, a declaration or a processing instruction.
  std::size_t behind_tag(std::size_t from) const noexcept {
    char quote = '\0';
    for (std::size_t i = from; i < known_.size(); ++i) {
      const char c = known_[i];
      if (c == '<') return kUnknown;
      if (c == '>') return quote == '\0' ? i + 1 : kUnknown;
      if (c == quote) {
        quote = '\0';
      } else if (quote == '\0' && (c == '"' || c == '\'')) {
        quote = c;
      }
    }
    return kUnknown;
  }

  std::size_t comment(std::size_t from) {
    if (byte(from) == '>' || (byte(from) == '-' && byte(from + 1) == '>')) return kUnknown;
    for (std::size_t end = find_byte(known_, '>', from); end < known_.size(); end = find_byte(known_, '>', end + 1)) {
      const auto before = known_.substr(from, end - from);
      if (before.ends_with("--!")) return kUnknown;
      if (!before.ends_with("--")) continue;
      leave_out(from, end - 2);
      return end + 1;
    }
    return kUnknown;
  }

  std::size_t start_tag(std::size_t at) {
    std::size_t i = at + 1;
    while (is(kName, byte(i))) ++i;
    const auto name = known_.substr(at + 1, i - at - 1);
    if (name.size() > kLongestName || !read_attributes(i)) return kUnknown;
    const bool closed = byte(i) == '/';
    const Tag tag = tag_named(name);
    if (!tag.whole) leave_out_attributes(tag);
    if (closed && slash_of_page_start(page_, at) == i) leave_out(i, i + 1);
    i += closed ? 2 : 1;
    if (tag.content == Tag::Content::markup) return i;
    if (closed || whole_) return kUnknown;
    switch (tag.content) {
      case Tag::Content::text:
        return text(i, name);
      case Tag::Content::script:
        return code(i, name, says_.data);
      case Tag::Content::style:
        return code(i, name, false);
      default:
        return kUnknown;
    }
  }

  // Reads the attributes of a tag from `i` on, up to the ">" or "/>" that ends it. Returns whether all versions end it
  // there.
  bool read_attributes(std::size_t& i) {
    says_ = {};
    for (count_ = 0; count_ < attributes_.size(); ++count_) {
      Attribute& one = attributes_[count_];
      one = {.start = i};
      while (is(kSpace, byte(i)) || (byte(i) == '/' && i > one.start && is(kSpace, byte(i + 1)))) ++i;
      if (byte(i) == '>' || (byte(i) == '/' && byte(i + 1) == '>')) return true;
      one.separator = i - one.start;
      const bool behind_quote = count_ > 0 && attributes_[count_ - 1].form == Attribute::Value::quoted;
      if ((one.joined() && !behind_quote) || !read_attribute(i, one)) return false;
    }
    return false;
  }

  bool read_attribute(std::size_t& i, Attribute& one) {
    const std::size_t start = i;
    one.plain = is(kAttributeStart, byte(i));
    while (is(kAttribute, byte(i))) one.plain &= is(kName, byte(i++));
    one.name = known_.substr(start, i - start);
    one.end = i;
    if (one.name.empty() || one.name.size() > kLongestName || has_page_tag(one.name)) return false;
    while (is(kSpace, byte(i))) ++i;
    if (byte(i) == '=') {
      ++i;
      while (is(kSpace, byte(i))) ++i;
      if (!read_value(i, one)) return false;
      one.end = i;
    }
    i = one.end;
    one.kind = kind_of(one.name);
    says_.note(one.kind, one.value);
    if (one.plain) return true;
    // Other names are none to some versions, which go on behind the next white space.
    const auto all = known_.substr(start, i - start);
    return all.find_first_of(" \n\t\r\f>") == std::string_view::npos && !all.ends_with('/') &&
           (byte(i) == '>' || is(kSpace, byte(i)));
  }

  bool read_value(std::size_t& i, Attribute& one) {
    const char quote = byte(i);
    if (quote == '"' || quote == '\'') {
      one.form = Attribute::Value::quoted;
      const std::size_t end = find_byte(known_, quote, i + 1);
      one.value = known_.substr(i + 1, end - i - 1);
      i = end + 1;
      return end < known_.size() && !has_page_tag(one.value);
    }
    one.form = Attribute::Value::bare;
    const std::size_t start = i;
    while (is(kBareValue, byte(i))) ++i;
    one.value = known_.substr(start, i - start);
    return !one.value.empty() && !has_page_tag(known_.substr(start, i + 1 - start));
  }

  static bool has_page_tag(std::string_view text) noexcept {
    for (std::size_t at = find_byte(text, '<', 0); at < text.size(); at = find_byte(text, '<', at + 1)) {
      if (end_of_page_end(text, at) > at || begins_page(text.substr(at + 1, 4))) return true;
    }
    return false;
  }

  void leave_out_attributes(const Tag& tag) {
    bool bare = false;  // what stays ends without a quotation mark: "/" or "/>" could become a part of it
    for (std::size_t number = 0; number < count_; ++number) {
      const Attribute& one = attributes_[number];
      const bool last = number + 1 == count_;
      const bool joins = !last && attributes_[number + 1].joined();
      // Of a place to link to it is read whether it has an address, not which.
      const bool address = one.kind == Kind::href && tag.anchor && says_.target;
      if (!one.plain || is_read(one.kind, tag) || (address && joins)) {
        bare = one.form == Attribute::Value::bare || !one.plain;
      } else if (address) {
        leave_out(one.start + one.separator + one.name.size(), one.end);
        bare = false;
      } else {
        leave_out(one.start + ((last ? bare : joins) ? one.separator : 0), one.end);
      }
    }
  }

  bool is_read(Kind kind, const Tag& tag) const noexcept {
    switch (kind) {
      case Kind::read:
      case Kind::id:
        return true;
      case Kind::name:
        return tag.anchor;
      case Kind::style:
        return says_.hidden;
      case Kind::rel:
        return says_.author || says_.page;
      case Kind::href:
        return tag.link && says_.page;
      case Kind::type:
        return tag.content == Tag::Content::script && says_.data;
      default:
        return false;
    }
  }

  // Passes over the content of an element that is text to some versions and markup to others. It stays.
  std::size_t text(std::size_t from, std::string_view name) {
    std::size_t end = find_byte(known_, '<', from);
    while (end < known_.size() && !ends_element(end, name)) end = find_byte(known_, '<', end + 1);
    if (end == known_.size()) return kUnknown;
    whole_ = true;
    std::size_t at = find_byte(known_, '<', from);
    while (at < end) at = find_byte(known_, '<', markup(at));
    whole_ = false;
    if (at != end) return kUnknown;
    copy_to(from);
    copy_joined_to(end);
    return behind_tag(end + 2);
  }

  // Leaves out a script or style, unless it stays. Returns where the text behind its end tag begins.
  std::size_t code(std::size_t from, std::string_view name, bool stays) {
    // Some versions read a tag at once behind the start tag as one.
    if (byte(from) == '<' && byte(from + 1) != '!' && !ends_element(from, name)) return kUnknown;
    bool escaped = false;          // behind "<!--"
    std::size_t inner = kUnknown;  // where a start tag of that name stands behind it: the next end tag may be its own
    for (std::size_t at = find_byte(known_, '<', from); at < known_.size(); at = find_byte(known_, '<', at + 1)) {
      if (byte(at + 1) == '!') {
        escaped |= byte(at + 2) == '-' && byte(at + 3) == '-';
      } else if (escaped && same_name(known_.substr(at + 1, name.size()), name)) {
        inner = at;
      } else if (byte(at + 1) == '/' && same_name(known_.substr(at + 2, name.size()), name)) {
        const bool own = inner == kUnknown || known_.substr(inner, at - inner).find("-->") != std::string_view::npos;
        if (!own || !ends_element(at, name)) return kUnknown;
        copy_to(from);
        if (stays) copy_joined_to(at);
        copied_ = at;
        return behind_tag(at + 2);
      }
    }
    return kUnknown;
  }

  // Returns whether the end tag of an element begins at `at`.
  bool ends_element(std::size_t at, std::string_view name) const noexcept {
    const char after = byte(at + 2 + name.size());
    return byte(at + 1) == '/' && same_name(known_.substr(at + 2, name.size()), name) &&
           (after == '>' || is(kSpace, after));
  }

  std::string_view page_, known_;  // the page, and its part before the first NUL
  char* out_;
  std::size_t copied_ = 0, written_ = 0;  // bytes of the page, bytes of out_
  bool whole_ = false;                    // nothing is left out
  // Of the last start tag.
  std::array<Attribute, kMostAttributes> attributes_;
  std::size_t count_ = 0;
  Says says_;
};

}  // namespace

std::size_t lean_markup(std::string_view page, char* out) { return LeanWriter(page, out).write(); }

std::size_t joined_markup(std::string_view page, char* out) { return copy_joined(page, 0, page.size(), out); }

}  // namespace corpusprep
