#include "pages/shown_elements.hpp"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <span>

#include "pages/bytes.hpp"
#include "pages/feature_values.hpp"
#include "text/unicode.hpp"

namespace corpusprep {

namespace {

// Returns whether a style hides its element: display none or visibility hidden.
bool hides(std::string_view style) {
  const auto begins = [](std::string_view text, std::string_view word) {
    return text.size() >= word.size() &&
           std::ranges::equal(text.substr(0, word.size()), word, {}, [](char byte) { return ascii_lower(byte); });
  };
  bool no_display = false, not_visible = false;
  for (std::size_t at = 0; at < style.size(); ++at) {
    const auto end = find_byte(style, ';', at);
    const auto declaration = style.substr(at, end - at);
    const auto property = declaration.substr(skip_space(declaration, 0));
    at = end;
    const auto value_of = [&](std::string_view name) -> std::optional<std::string_view> {
      if (!begins(property, name)) return std::nullopt;
      const auto colon = skip_space(property, name.size());
      if (colon >= property.size() || property[colon] != ':') return std::nullopt;
      return property.substr(skip_space(property, colon + 1));
    };
    // Of declarations of one property, the last counts.
    if (const auto display = value_of("display")) no_display = begins(*display, "none");
    if (const auto visibility = value_of("visibility")) not_visible = begins(*visibility, "hidden");
  }
  return no_display || not_visible;
}

enum ClassBit : std::uint8_t { kHides = 1, kFolds = 2, kEdits = 4 };

// Letters that the classes above begin with.
constexpr std::uint32_t first_letters(std::initializer_list<std::span<const std::string_view>> lists) {
  std::uint32_t letters = 0;
  for (const auto list : lists) {
    for (const auto word : list) letters |= 1U << (word.front() - 'a');
  }
  return letters;
}

// Returns what the words of a class say. One that shows the element on some screens, such as md:block or d-md-flex,
// outweighs those that hide it.
std::uint8_t visibility_of(std::string_view classes) {
  constexpr std::uint32_t kFirstLetters = first_letters({kHidingClasses, kFoldingClasses, kEditClasses});
  const auto space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r' && c != '\v'); };
  std::uint8_t bits = 0;
  bool shown = false;
  for (std::size_t at = 0; at < classes.size(); ++at) {
    if (space(classes[at])) continue;
    const std::size_t start = at;
    bool colon = false;
    for (; at < classes.size() && !space(classes[at]); ++at) colon |= classes[at] == ':';
    const auto word = classes.substr(start, at - start);
    const auto letter = static_cast<unsigned char>(word.front() - 'a');
    const bool possible = letter < 26 && (kFirstLetters >> letter & 1);  // most words are in no list
    if (possible && std::ranges::find(kFoldingClasses, word) != std::end(kFoldingClasses)) bits |= kFolds;
    if (possible && std::ranges::find(kEditClasses, word) != std::end(kEditClasses)) bits |= kEdits;
    if (possible && std::ranges::find(kHidingClasses, word) != std::end(kHidingClasses)) {
      bits |= kHides;
    } else {
      shown |= colon || word.starts_with("d-");
    }
  }
  if (shown) bits &= static_cast<std::uint8_t>(~kHides);
  return bits;
}

bool is_markup(std::string_view text) noexcept {
  for (std::size_t at = find_byte(text, '<', 0); at < text.size(); at = find_byte(text, '<', at + 1)) {
    if (at + 1 < text.size() && (markup_letter(text[at + 1]) || text[at + 1] == '/')) return true;
  }
  return false;
}

// Returns whether the element has a text without a letter or digit, and nothing else.
bool is_sign(const xmlNode& node) {
  const xmlNode* text = node.children;
  if (!text || text->next || text->type != XML_TEXT_NODE) return false;
  const auto content = view(text->content);
  if (content.size() > 16) return false;
  for (std::size_t i = 0; i < content.size();) {
    const auto decoded = decode_utf8(content, i);
    const auto kind = unicode_class(decoded.code_point);
    if (kind == UnicodeClass::letter || kind == UnicodeClass::number) return false;
    i += decoded.length;
  }
  return true;
}

enum AttributeKind : std::uint8_t { kOther, kClass, kStyle, kHidden, kAriaHidden };

}  // namespace

bool is_shadow_root(const xmlNode& fragment) {
  for (const xmlAttr* attribute = fragment.properties; attribute; attribute = attribute->next) {
    const auto value = value_of(*attribute);
    if (view(attribute->name) == "shadowrootmode") return value == "open" || value == "closed";
  }
  return false;
}

std::uint8_t ShownElements::attribute_kind(const xmlChar* name) {
  constexpr std::string_view kNames[] = {"", "class", "style", "hidden", "aria-hidden"};
  auto& slot = names_[(reinterpret_cast<std::uintptr_t>(name) >> 3) & (names_.size() - 1)];
  if (slot.name == name) return slot.kind;
  slot = {name, kOther};
  for (std::size_t kind = 1; kind < std::size(kNames); ++kind) {
    if (view(name) == kNames[kind]) slot.kind = static_cast<std::uint8_t>(kind);
  }
  return slot.kind;
}

std::uint8_t ShownElements::class_bits(std::string_view value) {
  Class& known = classes_[(edge_key(value) >> 32) & (classes_.size() - 1)];
  if (known.value.data() == nullptr || known.value != value) known = {value, visibility_of(value)};
  return known.bits;
}

Unseen ShownElements::look(const xmlNode& node, const Element& element, bool in_heading, bool below) {
  if (element.literal && node.children && is_markup(view(node.children->content))) return Unseen::markup;
  if (element.fallback || element.title) return Unseen::hidden;
  if (element.noscript) return Unseen::noscript;
  if (element.reading) return Unseen::reading;
  if (in_heading && element.link && is_sign(node)) return Unseen::decorated;
  auto found = Unseen::no;
  for (const xmlAttr* attribute = node.properties; attribute; attribute = attribute->next) {
    switch (attribute_kind(attribute->name)) {
      case kClass: {
        // Not inline elements: text for screen readers begins blocks that are shown. A heading says `collapsed` of the
        // box below it.
        if (!below || element.link) break;
        const auto bits = class_bits(value_of(*attribute));
        const bool hides = element.block && ((bits & kHides) || ((bits & kFolds) && !element.heading));
        if (hides || (bits & kEdits)) return Unseen::hidden;
        break;
      }
      case kStyle:
        if (hides(value_of(*attribute))) return Unseen::hidden;
        break;
      case kHidden:
        return Unseen::hidden;
      case kAriaHidden:
        if (value_of(*attribute) == "true") found = Unseen::decorated;
        break;
      default:
        break;
    }
  }
  return found;
}

}  // namespace corpusprep
