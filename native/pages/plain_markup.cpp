#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "pages/bytes.hpp"
#include "pages/markup.hpp"
#include "pages/open_elements.hpp"
#include "pages/segmentation.hpp"

namespace corpusprep {

namespace {

constexpr std::size_t kNone = OpenElements::kNone;
constexpr std::size_t kLongestName = 100;  // bytes; libxml2 cuts longer ones
// Stands for the elements below kDeepest, which become its children. The parser has no rules for this name.
constexpr std::string_view kFlat = "x-flat";

// U+FEFF: at the start of a page, the parser takes it for the mark of an encoding, and for no text.
constexpr std::string_view kMark = "\xEF\xBB\xBF";

bool plain_name_byte(char byte) noexcept {
  return markup_letter(byte) || (byte >= '0' && byte <= '9') || byte == '-' || byte == '_' || byte == ':' ||
         byte == '.';
}

// Returns the name that is written for the name of an element: another that means nothing if its bytes are not plain.
std::string plain_name(std::string_view name) {
  if (std::ranges::all_of(name, plain_name_byte)) return std::string(name);
  std::string plain = "x-";
  std::ranges::copy_if(name, std::back_inserter(plain), plain_name_byte);
  return plain;
}

// Reads a page as libxml2 2.14 does, follows its open elements, and writes what matters.
class PlainWriter {
 public:
  explicit PlainWriter(std::string_view page) : page_(page) { out_.reserve(page.size() + page.size() / 8); }

  std::string write() {
    if (page_.starts_with(kMark)) {
      out_ = kMark;
      at_ = kMark.size();
    }
    while (at_ < page_.size()) {
      const std::size_t tag = find_byte(page_, '<', at_);
      text(page_.substr(at_, tag - at_));
      at_ = tag;
      if (at_ < page_.size()) markup();
    }
    return std::move(out_);
  }

 private:
  char byte(std::size_t position) const noexcept { return position < page_.size() ? page_[position] : '\0'; }

  // Reads what begins with "<".
  void markup() {
    const char next = byte(at_ + 1);
    if (markup_letter(next)) {
      start_tag();
    } else if (next == '/' && at_ + 2 < page_.size()) {
      if (markup_letter(byte(at_ + 2))) {
        end_tag();
      } else {
        skip_to(find_byte(page_, '>', at_ + 2) + 1);
      }
    } else if (next == '!' && byte(at_ + 2) == '-' && byte(at_ + 3) == '-') {
      skip_to(end_of_comment(at_ + 4));
    } else if (next == '!' || next == '?') {
      skip_to(find_byte(page_, '>', at_ + 2) + 1);
    } else {
      // A reference begins <body> outside elements only; what the parser does not take for a tag begins it in a
      // frameset.
      begin_body([this] { begin_text(); });
      put_text("&lt;");
      ++at_;
    }
  }

  // Writes <body> in a frameset, if `act` begins it.
  template <class Act>
  void begin_body(Act act) {
    const bool inside = open_.size() > 1 && !open_.contains(open_.head) && !seen_body_;
    act();
    if (inside && seen_body_) put_tag("<", "body", ">");
  }

  // Leaves out what stands up to `end`. A reference must not come into being by that.
  void skip_to(std::size_t end) {
    at_ = std::min(end, page_.size());
    left_out_ = true;
  }

  std::size_t end_of_comment(std::size_t from) const noexcept {
    if (byte(from) == '>') return from + 1;
    if (byte(from) == '-' && byte(from + 1) == '>') return from + 2;
    for (std::size_t dash = find_byte(page_, '-', from); dash < page_.size(); dash = find_byte(page_, '-', dash + 1)) {
      if (byte(dash + 1) != '-') continue;
      if (byte(dash + 2) == '>') return dash + 3;
      if (byte(dash + 2) == '!' && byte(dash + 3) == '>') return dash + 4;
    }
    return page_.size();
  }

  void put_text(std::string_view text) {
    if (left_out_ && (after_text_ || (out_.empty() && text.starts_with(kMark)))) out_ += "<!---->";
    left_out_ = false;
    after_text_ = true;
    for (std::size_t start = 0; start < text.size();) {
      const std::size_t nul = find_byte(text, '\0', start);
      out_.append(text.substr(start, nul - start));
      if (nul < text.size()) out_ += "\xEF\xBF\xBD";
      start = nul + 1;
    }
  }

  void put_tag(std::string_view before, std::string_view name, std::string_view after) {
    out_.append(before).append(name).append(after);
    left_out_ = after_text_ = false;
  }

  void text(std::string_view text) {
    if (text.empty()) return;
    const bool outside = open_.size() == 0 || open_.innermost() == open_.html || open_.innermost() == open_.head;
    if (outside && skip_space(text, 0) < text.size()) begin_text();
    put_text(text);
  }

  // What the parser does before the first text: it leaves <head>, and begins <body>.
  void begin_text() {
    if (open_.size() != 0 && open_.innermost() == open_.head) close_for(open_.paragraph);
    imply(open_.paragraph);
  }

  // Ends elements before a start tag. The parser does the same when it reads the tag; but a tag that occurs once in a
  // page may be left out.
  void close_for(std::uint32_t number) {
    while (open_.ended_by(number)) occurs_once(number) ? end_innermost() : pop();
  }

  bool occurs_once(std::uint32_t number) const noexcept {
    return number == open_.html || number == open_.head || number == open_.body;
  }

  // Opens <html>, <head> and <body> where a tag implies them; the parser does the same when it reads what is written.
  void imply(std::uint32_t number) {
    if (number == open_.html) return;
    if (open_.size() == 0) push(open_.html);
    if (number == open_.body || number == open_.head) return;
    const auto& rules = open_.rules(number);
    if (open_.size() <= 1 && rules.metadata) {
      if (!seen_head_ && !seen_body_) push(open_.head);
    } else if (!rules.frames && !seen_body_ && !open_.contains(open_.body) && !open_.contains(open_.head)) {
      push(open_.body);
    }
  }

  void push(std::uint32_t number) {
    seen_head_ |= number == open_.head;
    seen_body_ |= number == open_.body;
    open_.push(number);
  }

  // Ends the innermost element. Up to kDeepest, the parser knows by itself.
  void pop() {
    const std::size_t ended = open_.size() - 1;
    const auto number = open_.innermost();
    open_.pop();
    if (ended < kDeepest) return;
    end_flat_from(ended + 1);
    if (!flat_.empty() && flat_.back().index == ended) {
      end_flat_from(ended);
    } else if (!in_removed() && element_named(open_.name(number)).block) {
      put_tag("<", "div></div", ">");  // its end tag separates blocks, although it was ended before
    }
    if (ended == kDeepest && in_flat_) {
      put_tag("</", kFlat, ">");
      in_flat_ = false;
    }
  }

  // Ends the innermost element with an end tag.
  void end_innermost() {
    const auto number = open_.innermost();
    const bool written = open_.size() <= kDeepest;
    pop();
    if (written) put_tag("</", plain_name(open_.name(number)), ">");
  }

  // Below kDeepest, only what separates blocks, links and removed elements is written, one beside the other.
  // Returns whether the element is written.
  bool put_flat_start_tag(const std::string& name) {
    const Element element = element_named(name);
    if (in_removed() || (element.link && !flat_.empty() && flat_.back().name == "a")) return false;
    if (!in_flat_) put_tag("<", kFlat, ">");
    in_flat_ = true;
    if (!element.link && !element.block && !element.select && !element.removed) return false;
    if (!element.link) end_flat_from(0);
    put_tag("<", name, attributes_);
    out_ += '>';
    flat_.push_back({open_.size(), name});
    return true;
  }

  bool in_removed() const noexcept { return !flat_.empty() && element_named(flat_.back().name).removed; }

  // Ends what is written of the elements from that index on.
  void end_flat_from(std::size_t index) {
    for (; !flat_.empty() && flat_.back().index >= index; flat_.pop_back()) put_tag("</", flat_.back().name, ">");
  }

  std::uint32_t read_name(std::size_t& end) {
    std::string name;
    while (end < page_.size() && page_[end] != '/' && page_[end] != '>' && !markup_space(page_[end])) {
      if (name.size() < kLongestName) name += ascii_lower(page_[end]);
      ++end;
    }
    return open_.number(name);
  }

  void start_tag() {
    std::size_t end = at_ + 1;
    const auto number = read_name(end);
    attributes_.clear();
    const bool whole = read_attributes(end);
    if (!whole) {  // the page ends in it
      begin_body([&] { imply(number); });
      return skip_to(end);
    }
    const bool closed = page_[end] == '/';
    at_ = end + (closed ? 2 : 1);
    close_for(number);
    imply(number);
    if (!misplaced(number)) return put_start_tag(number, closed);
    left_out_ = true;
    if (closed && open_.size() > 0) end_innermost();  // as the parser does
  }

  bool misplaced(std::uint32_t number) {
    const std::size_t before = misplaced_;
    misplaced_ += number == open_.html && open_.size() > 0;
    misplaced_ += number == open_.head && open_.size() != 1;
    misplaced_ += number == open_.body && open_.contains(open_.body);
    return misplaced_ > before;
  }

  void put_start_tag(std::uint32_t number, bool closed) {
    const std::string name = plain_name(open_.name(number));
    const auto& rules = open_.rules(number);
    const bool alone = closed || rules.empty;
    bool written = true;
    if (!alone && open_.size() >= kDeepest) {
      written = put_flat_start_tag(name);
    } else {
      put_tag("<", name, attributes_);
      out_ += closed ? "/>" : ">";
    }
    push(number);
    if (alone) {
      open_.pop();
    } else if (rules.content != Content::markup) {
      content(name, rules.content, written);
    }
  }

  // Reads the attributes of a tag, and writes the first ones. Returns whether the tag ends before the page does.
  bool read_attributes(std::size_t& i) {
    for (std::size_t count = 0;;) {
      i = skip_space(page_, i);
      if (i >= page_.size()) return false;
      if (page_[i] == '>' || (page_[i] == '/' && byte(i + 1) == '>')) return true;
      if (page_[i] == '/') {
        ++i;
        continue;
      }
      const std::size_t start = i++;
      while (i < page_.size() && page_[i] != '/' && page_[i] != '>' && page_[i] != '=' && !markup_space(page_[i])) ++i;
      const auto name = page_.substr(start, i - start);
      i = skip_space(page_, i);
      std::string_view value;
      char quote = '\0';
      const bool has_value = byte(i) == '=';
      if (has_value) {
        i = skip_space(page_, i + 1);
        quote = byte(i) == '"' || byte(i) == '\'' ? page_[i++] : '\0';
        const std::size_t from = i;
        if (quote) {
          i = find_byte(page_, quote, i);
          value = page_.substr(from, i - from);
          i = std::min(i + 1, page_.size());
        } else {
          while (i < page_.size() && page_[i] != '>' && !markup_space(page_[i])) ++i;
          value = page_.substr(from, i - from);
        }
      }
      if (++count <= kMostAttributes && name.size() <= kLongestName && markup_letter(name[0]) &&
          std::ranges::all_of(name, plain_name_byte)) {
        put_attribute(name, has_value, value, quote ? quote : '"');
      }
    }
  }

  void put_attribute(std::string_view name, bool has_value, std::string_view value, char quote) {
    attributes_.append(1, ' ').append(name);
    if (!has_value) return;
    attributes_.append(1, '=').append(1, quote);
    for (const char c : value) {
      if (c == quote) {
        attributes_ += "&quot;";
      } else if (c == '\0') {
        attributes_ += "\xEF\xBF\xBD";
      } else {
        attributes_ += c;
      }
    }
    attributes_ += quote;
  }

  void end_tag() {
    std::size_t end = at_ + 2;
    const auto number = read_name(end);
    attributes_.clear();
    const bool whole = read_attributes(end);
    if (!whole) return skip_to(end);
    at_ = end + (page_[end] == '/' ? 2 : 1);
    left_out_ = true;
    if (misplaced_ > 0 && occurs_once(number)) {
      --misplaced_;
      return;
    }
    const std::size_t ended = open_.ended_by_end_tag(number);
    if (ended == kNone) return;
    while (open_.size() > ended) pop();
    if (ended < kDeepest) put_tag("</", plain_name(open_.name(number)), ">");
  }

  // Reads the content of an element in which no tag but its end tag counts.
  void content(const std::string& name, Content kind, bool written) {
    const std::size_t end = kind == Content::plain_text ? page_.size() : end_of_content(name, kind == Content::script);
    const auto inside = page_.substr(at_, end - at_);
    at_ = end;
    if (kind == Content::script || name == "style") return;
    if (kind == Content::text_with_references || !written) {
      put_escaped(inside, kind != Content::text_with_references);
    } else if (!costly_markup(inside)) {
      put_text(inside);  // versions before 2.14 read tags here
    }
  }

  void put_escaped(std::string_view text, bool references_too) {
    std::size_t start = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      const bool ends = i == text.size();
      if (!ends && text[i] != '<' && (!references_too || text[i] != '&')) continue;
      if (i > start) put_text(text.substr(start, i - start));
      if (!ends) put_text(text[i] == '<' ? "&lt;" : "&amp;");
      start = i + 1;
    }
  }

  // Returns where the end tag of that name begins; the end of the page if there is none.
  std::size_t end_of_content(std::string_view name, bool script) const noexcept {
    enum { plain, escaped, twice_escaped } mode = plain;
    for (std::size_t i = at_; i < page_.size(); ++i) {
      if (page_[i] == '-' && mode != plain && byte(i + 1) == '-' && byte(i + 2) == '>') mode = plain;
      if (page_[i] != '<') continue;
      if (script && mode == plain && byte(i + 1) == '!') {
        if (byte(i + 2) == '-' && byte(i + 3) == '-') mode = escaped;
        continue;
      }
      const bool ends = byte(i + 1) == '/';
      if (!ends && mode != escaped) continue;
      if (!is_tag(name, i + 1 + ends)) continue;
      if (!ends) {
        mode = twice_escaped;
      } else if (mode == twice_escaped) {
        mode = escaped;
      } else {
        return i;
      }
    }
    return page_.size();
  }

  bool is_tag(std::string_view name, std::size_t at) const noexcept {
    for (std::size_t k = 0; k < name.size(); ++k) {
      if (static_cast<char>(byte(at + k) | 0x20) != name[k]) return false;
    }
    const char after = byte(at + name.size());
    return at + name.size() < page_.size() && (after == '>' || after == '/' || markup_space(after));
  }

  std::string_view page_;
  std::size_t at_ = 0;
  std::string out_;
  std::string attributes_;  // of the current tag, as they are written
  OpenElements open_;
  std::size_t misplaced_ = 0;                   // tags of html, head and body that the parser ignored
  bool seen_head_ = false, seen_body_ = false;  // have been opened
  bool left_out_ = false, after_text_ = false;  // what was written last, and whether something was left out since
  bool in_flat_ = false;                        // kFlat is open
  struct FlatChild {
    std::size_t index;  // in open_
    std::string name;   // as written
  };
  std::vector<FlatChild> flat_;  // what is open in it: a block, a link in a block
};

}  // namespace

std::string plain_markup(std::string_view page) { return PlainWriter(page).write(); }

}  // namespace corpusprep
