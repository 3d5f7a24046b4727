#include "pages/segmentation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "common/hash.hpp"
#include "pages/features.hpp"
#include "pages/outline.hpp"
#include "text/letter_runs.hpp"
#include "text/unicode.hpp"
#include "text/unicode_mappings.hpp"

namespace corpusprep {

namespace {

// Of MathML, browsers show the formula and not its annotations (often its source in TeX).
constexpr std::string_view kRemoved[] = {"annotation", "annotation-xml", "script", "style", "svg", "template"};
// Other children that HTML allows in <head>. Elements that the parser does not assign to <body> stay in <head> (<main>,
// <article> and others after a <title> if the page has no <body> tag); their text counts.
constexpr std::string_view kMetadata[] = {"base", "basefont", "bgsound", "link", "meta", "noscript", "object", "title"};
constexpr std::string_view kEmpty[] = {"area",  "base",  "basefont", "bgsound", "br",    "col",    "command",
                                       "embed", "frame", "hr",       "img",     "input", "keygen", "link",
                                       "meta",  "param", "source",   "track",   "wbr"};

// The contents of <textarea> are the value of a form.
constexpr std::string_view kFallback[] = {"applet",  "audio",    "canvas", "datalist", "iframe",
                                          "noembed", "noframes", "object", "textarea", "video"};
constexpr std::string_view kApart[] = {"applet", "audio",  "button", "canvas", "embed",  "iframe",   "img", "input",
                                       "meter",  "object", "svg",    "video",  "keygen", "progress", "xmp"};

std::uint32_t name_hash(std::string_view name) noexcept { return static_cast<std::uint32_t>(word_key(name)); }

std::unordered_map<std::string_view, Element> make_elements() {
  std::unordered_map<std::string_view, Element> elements;
  for (std::size_t i = 1; i < kBlockTags.size(); ++i) {
    const auto name = kBlockTags[i];
    Element element;
    element.tag = static_cast<std::uint8_t>(i);
    element.block = true;
    element.heading = name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6';
    elements[name] = element;
  }
  for (const auto name : kRemoved) elements[name].removed = true;
  for (const auto name : kMetadata) elements[name].metadata = true;
  elements["title"].title = true;
  elements["head"].head = elements["head"].block = true;
  elements["br"].line_break = true;
  elements["a"].link = true;
  elements["select"].select = elements["select"].control = true;
  elements["body"].body = true;
  for (const auto name : {"b", "strong"}) elements[name].bold = true;
  for (const auto name : {"code", "kbd", "samp", "tt"}) elements[name].code = true;
  for (const auto name : {"button", "label"}) elements[name].control = true;
  for (const auto name : kFallback) elements[name].fallback = true;
  for (const auto name : kApart) elements[name].apart = true;
  for (const auto name : {"rp", "rt"}) elements[name].reading = true;
  elements["noscript"].noscript = true;
  elements["template"].fragment = true;
  for (const auto name : {"iframe", "noembed", "noframes", "textarea", "xmp"}) elements[name].literal = true;
  for (const auto name : {"small", "time"}) elements[name].small_print = true;
  for (const auto name : kEmpty) elements[name].empty = true;
  for (auto& [name, element] : elements) element.name = name_hash(name);
  return elements;
}

// What a byte of text is. Most text is plain ASCII.
enum ByteClass : std::uint8_t { kPlain, kSpace, kDropped, kMultibyte };

constexpr std::array<ByteClass, 256> kByteClass = [] {
  std::array<ByteClass, 256> classes{};
  for (std::size_t i = 0; i < 256; ++i) classes[i] = i >= 0x80 ? kMultibyte : kPlain;
  for (std::size_t i = 0; i < 0x20; ++i) classes[i] = kDropped;
  classes[0x7F] = kDropped;
  for (std::size_t i = 0x09; i <= 0x0D; ++i) classes[i] = kSpace;
  for (std::size_t i = 0x1C; i <= 0x20; ++i) classes[i] = kSpace;
  return classes;
}();

constexpr std::array<bool, 128> kAsciiLetter = [] {
  std::array<bool, 128> letters{};
  for (std::size_t c = 'a'; c <= 'z'; ++c) letters[c] = true;
  for (std::size_t c = 'A'; c <= 'Z'; ++c) letters[c] = true;
  return letters;
}();

ByteClass byte_class(char byte) noexcept { return kByteClass[static_cast<unsigned char>(byte)]; }

bool is_letter(char32_t code_point) noexcept {
  const auto kind = unicode_class(code_point);
  return kind == UnicodeClass::letter || kind == UnicodeClass::mark;
}

// Returns the size in bytes of the letter or mark at `position`; 0 if it is neither.
std::uint32_t letter_at(std::string_view block, std::size_t position) noexcept {
  const auto byte = static_cast<unsigned char>(block[position]);
  if (byte < 0x80) return kAsciiLetter[byte] ? 1 : 0;
  const auto decoded = decode_utf8(block, position);
  return is_letter(decoded.code_point) ? decoded.length : 0;
}

// Returns where the character of UTF-8 before `place` begins, `first` at the least; `place` is behind that.
std::size_t character_before(std::string_view text, std::size_t place, std::size_t first) noexcept {
  --place;
  while (place > first && (static_cast<unsigned char>(text[place]) & 0xC0) == 0x80) --place;
  return place;
}

}  // namespace

Element element_named(std::string_view name) noexcept {
  static const auto elements = make_elements();
  const auto found = elements.find(name);
  if (found != elements.end()) return found->second;
  Element unknown;
  unknown.name = name_hash(name);
  return unknown;
}

void WordCounts::character(char32_t code_point, bool linked) noexcept {
  const auto kind = unicode_class(code_point);
  const bool alphabetic = kind == UnicodeClass::letter || kind == UnicodeClass::mark;
  if (alphabetic && script_without_spaces(code_point)) {
    inside_other_ = false;
    ++characters_;
    link_characters_ += linked;
  } else if (alphabetic || kind == UnicodeClass::number) {
    if (!inside_other_) {
      inside_other_ = true;
      other_linked_ = false;
      ++others_;
    }
    if (linked && !other_linked_) {
      other_linked_ = true;
      ++link_others_;
    }
  } else if (code_point >= 0x80) {
    inside_other_ = false;  // full stops and apostrophes of ASCII also occur inside words and numbers
  }
}

std::uint32_t WordCounts::words() const noexcept {
  return std::max(1u, others_ + static_cast<std::uint32_t>(std::lround(characters_ / characters_per_word_)));
}

std::uint32_t WordCounts::link_words() const noexcept {
  if (!link_characters_ && !link_others_) return 0;
  const auto linked = link_others_ + static_cast<std::uint32_t>(std::lround(link_characters_ / characters_per_word_));
  return std::clamp(linked, 1u, words());
}

void BlockColumns::clear() {
  text.clear();
  offsets.assign(1, 0);
  pages.assign(1, 0);
  invisible.clear();
  tags.clear();
  flags.clear();
  for (auto* column : {&words, &link_words, &alphabetic_words, &stop_words}) column->clear();
  breaks.clear();
}

BlockBuilder::BlockBuilder(const WordSet& stop_words, BlockColumns& columns, double characters_per_word,
                           StructureBuilder* structure, FeatureBuilder* features, OutlineBuilder* outline)
    : stop_words_(stop_words),
      columns_(columns),
      characters_per_word_(characters_per_word),
      counts_(characters_per_word),
      structure_(structure),
      features_(features),
      outline_(outline),
      tags_{0} {
  start();
}

void BlockBuilder::start() {
  block_start_ = columns_.text.size();
  words_ = link_words_ = 0;
  tag_ = tags_.back();
  flags_ = static_cast<std::uint8_t>((headings_ ? kHeading : 0) | (selects_ ? kInSelect : 0));
  inside_word_ = word_linked_ = break_ = false;
  counts_.clear();
  if (outline_) outline_->begin_block(block_start_);
}

void BlockBuilder::open(Element element) {
  if (structure_) {
    end_piece();
    structure_->open(element);
  }
  if (element.block) {
    tags_.push_back(element.tag);
    headings_ += element.heading;
    flush();
  } else if (element.line_break) {
    space();
    if (++breaks_ == 2) flush();
  } else if (element.link) {
    ++links_;
  } else if (element.select) {
    ++selects_;
    flush();
  } else if (element.apart) {
    space();
  }
}

void BlockBuilder::close(Element element) {
  if (structure_) {
    end_piece();
    structure_->close(element);
  }
  if (element.block) {
    tags_.pop_back();
    headings_ -= element.heading;
    flush();
  } else if (element.link) {
    --links_;
  } else if (element.select) {
    --selects_;
    flush();
  } else if (element.apart) {
    space();
  }
}

void BlockBuilder::space() noexcept {
  inside_word_ = break_ = false;
  visible_.space();
}

void BlockBuilder::characters(std::string_view bytes) {
  if (!inside_word_) {
    if (features_ && !words_) features_->begin_block();
    if (words_++) columns_.text += ' ';
    inside_word_ = true;
    word_linked_ = false;
    counts_.space();
  }
  if (links_ && !word_linked_) {
    word_linked_ = true;
    ++link_words_;
  }
  columns_.text.append(bytes);
}

// Keeps a zero-width space before the next character if it stands between two letters of South-East Asia.
void BlockBuilder::add_break(char32_t next) {
  break_ = false;
  const std::string_view block = std::string_view(columns_.text).substr(block_start_);
  if (!inside_word_ || !ends_words_unseen(next) || unicode_class(next) == UnicodeClass::mark) return;
  if (block.empty()) return;
  if (!ends_words_unseen(decode_utf8(block, character_before(block, block.size(), 0)).code_point)) return;
  columns_.breaks.push_back(static_cast<std::int64_t>(columns_.text.size()));
}

// Appends a mark to the word before it, and composes it with that.
void BlockBuilder::join(std::string_view bytes) {
  characters({});
  std::string& text = columns_.text;
  std::size_t start = text.size();
  while (start > block_start_ && text.size() - start <= kLongestJoint) {
    start = character_before(text, start, block_start_);
    if (nfc_settled(decode_utf8(text, start).code_point)) break;
  }
  const std::string end = text.substr(start).append(bytes);
  const auto composed = text.size() - start <= kLongestJoint ? nfc(std::string_view(end)) : std::nullopt;
  if (!composed) {
    text.append(bytes);
    return;
  }
  text.replace(start, std::string::npos, *composed);
  if (structure_) structure_->move_ends(static_cast<std::int64_t>(start), static_cast<std::int64_t>(text.size()));
  if (features_) features_->move_marks(start, text.size());
  if (outline_) outline_->move_spans(start, text.size());
}

void BlockBuilder::text(std::string_view given) {
  const auto normalised = composes_ ? nfc(given) : std::nullopt;
  const std::string_view utf8 = normalised ? std::string_view(*normalised) : given;
  if (outline_) outline_->text(utf8);
  // Whether the next character may compose with the one before it: it stands in another element, or what was between
  // was left out.
  bool joint = composes_;
  // Appends the words of ASCII from `start` on that are one space apart, after a word that characters() appended. They
  // are most of a text, and so are copied at once. Returns their size in bytes.
  const auto append_words = [&](std::size_t start) {
    std::size_t end = start;
    std::uint32_t words = 0;
    while (end + 1 < utf8.size() && utf8[end] == ' ' && byte_class(utf8[end + 1]) == kPlain) {
      for (end += 2; end < utf8.size() && byte_class(utf8[end]) == kPlain;) ++end;
      ++words;
    }
    if (words) {
      columns_.text.append(utf8.substr(start, end - start));
      words_ += words;
      link_words_ += links_ ? words : 0;
      word_linked_ = links_ > 0;
    }
    return end - start;
  };
  std::size_t i = 0;
  bool blank = true;
  while (i < utf8.size()) {
    auto kind = byte_class(utf8[i]);
    std::size_t length = 1;
    if (kind == kPlain) {
      while (i + length < utf8.size() && byte_class(utf8[i + length]) == kPlain) ++length;
      visible_.ascii();
      joint = break_ = false;
      characters(utf8.substr(i, length));
      if (characters_per_word_ > 0) {
        for (std::size_t k = i; k < i + length; ++k) counts_.character(static_cast<unsigned char>(utf8[k]), links_ > 0);
      } else {
        length += append_words(i + length);
      }
    } else if (kind == kMultibyte) {
      const auto decoded = decode_utf8(utf8, i);
      length = decoded.length;
      if (unicode_class(decoded.code_point) == UnicodeClass::space) {
        kind = kSpace;
      } else if (const auto [keep, joiner] = visible_.next(decoded.code_point); keep) {
        if (joiner != 0) {
          joint = false;
          characters(joiner == 0x200C ? "\xE2\x80\x8C" : "\xE2\x80\x8D");
          if (characters_per_word_ > 0) counts_.character(joiner, links_ > 0);
        }
        if (decoded.code_point == 0xA9) flags_ |= kCopyright;
        if (break_) add_break(decoded.code_point);
        const auto bytes = decoded.code_point == 0xFFFD ? std::string_view("\xEF\xBF\xBD") : utf8.substr(i, length);
        joint = joint && !nfc_settled(decoded.code_point);
        if (joint && inside_word_) {
          join(bytes);
        } else {
          characters(bytes);
        }
        if (characters_per_word_ > 0) counts_.character(decoded.code_point, links_ > 0);
      } else {
        joint = composes_;
        break_ |= decoded.code_point == kZeroWidthSpace;
      }
    }
    if (kind == kSpace) {
      space();
    } else {
      blank = false;
      if (kind == kDropped) {
        visible_.dropped();
        joint = composes_;
      }
    }
    i += length;
  }
  if (!blank) breaks_ = 0;
}

AlphabeticWords count_alphabetic(std::string_view block, const WordSet& stop_words) {
  AlphabeticWords found;
  const auto hyphen = [block](std::size_t i) {
    return block[i] == '-' && i + 1 < block.size() && letter_at(block, i + 1) != 0;
  };
  each_letter_run(block, is_letter, hyphen, [&](std::string_view word) {
    ++found.all;
    found.stop += stop_words.contains(word);
  });
  return found;
}

void BlockBuilder::count_sequences(std::string_view block, std::uint32_t& alphabetic, std::uint32_t& stop) const {
  const auto unspaced_at = [&](std::size_t i) { return script_without_spaces(decode_utf8(block, i).code_point); };
  std::uint32_t others = 0, other_stop = 0;
  for (std::size_t i = 0; i < block.size();) {
    const std::uint32_t letter = letter_at(block, i);
    if (!letter) {
      i += decode_utf8(block, i).length;
    } else if (unspaced_at(i)) {
      const std::size_t matched = stop_words_.longest_prefix(block.substr(i));
      for (const std::size_t end = i + std::max<std::size_t>(matched, letter); i < end; ++alphabetic) {
        stop += matched > 0;
        i += decode_utf8(block, i).length;
      }
    } else {
      const std::size_t start = i;
      while (i < block.size() && letter_at(block, i) && !unspaced_at(i)) i += letter_at(block, i);
      ++others;
      other_stop += stop_words_.contains(block.substr(start, i - start));
    }
  }
  alphabetic += static_cast<std::uint32_t>(std::lround(others * characters_per_word_));
  stop += static_cast<std::uint32_t>(std::lround(other_stop * characters_per_word_));
}

void BlockBuilder::flush() {
  visible_.space();
  if (words_) {
    std::uint32_t alphabetic = 0, stop = 0;
    const auto block = std::string_view(columns_.text).substr(block_start_);
    if (characters_per_word_ > 0) {
      words_ = counts_.words();
      link_words_ = counts_.link_words();
      count_sequences(block, alphabetic, stop);
    } else {
      const auto counted = count_alphabetic(block, stop_words_);
      alphabetic = counted.all;
      stop = counted.stop;
    }
    columns_.offsets.push_back(static_cast<std::int64_t>(columns_.text.size()));
    columns_.tags.push_back(tag_);
    columns_.flags.push_back(flags_);
    columns_.words.push_back(words_);
    columns_.link_words.push_back(link_words_);
    columns_.alphabetic_words.push_back(alphabetic);
    columns_.stop_words.push_back(stop);
    if (structure_) structure_->end_block();
    if (features_) features_->end_block(columns_.text, block_start_);
    if (outline_) outline_->end_block(columns_.text.size());
  }
  start();
}

void BlockBuilder::end_piece() {
  const auto start = static_cast<std::size_t>(structure_->text_end());
  if (columns_.text.size() == start) return;
  const bool unspaced = characters_per_word_ > 0;
  const bool glued = !unspaced && start != block_start_ && columns_.text[start] != ' ';
  const auto words = unspaced ? counts_.words() : words_;
  structure_->add_piece(static_cast<std::int64_t>(columns_.text.size()), words, links_ != 0, glued);
}

void BlockBuilder::end_blocks() {
  if (structure_) end_piece();
  flush();
}

void BlockBuilder::end_page() {
  end_blocks();
  if (structure_) structure_->end_page();
  if (features_) features_->end_page();
  if (outline_) outline_->end_page();
  columns_.pages.push_back(static_cast<std::int64_t>(columns_.size()));
  columns_.invisible.push_back(visible_.take_left_out());
  reset();
}

void BlockBuilder::abandon_page() {
  const auto blocks = static_cast<std::size_t>(columns_.pages.back());
  columns_.text.resize(static_cast<std::size_t>(columns_.offsets[blocks]));
  columns_.offsets.resize(blocks + 1);
  columns_.tags.resize(blocks);
  columns_.flags.resize(blocks);
  for (auto* column : {&columns_.words, &columns_.link_words, &columns_.alphabetic_words, &columns_.stop_words}) {
    column->resize(blocks);
  }
  while (!columns_.breaks.empty() && columns_.breaks.back() >= columns_.offsets[blocks]) columns_.breaks.pop_back();
  visible_ = {};
  if (structure_) structure_->abandon_page(blocks);
  if (features_) features_->abandon_page();
  if (outline_) outline_->abandon_page(blocks);
  reset();
}

void BlockBuilder::reset() {
  tags_.assign(1, 0);
  links_ = headings_ = selects_ = breaks_ = 0;
  start();
}

}  // namespace corpusprep
