#include "pages/open_elements.hpp"

#include <algorithm>
#include <iterator>

namespace corpusprep {

namespace {

// A function of each name in a list that spaces separate.
template <class Function>
void each_name(std::string_view list, Function function) {
  for (std::size_t start = 0; start < list.size();) {
    const std::size_t end = std::min(list.find(' ', start), list.size());
    function(std::string(list.substr(start, end - start)));
    start = end + 1;
  }
}

// Start tags that end the innermost element, as libxml2 has them (the same in 2.12 to 2.14; a test compares the table
// with the parser that is installed).
struct Group {
  std::string_view start_tags, end;
};

constexpr Group kGroups[] = {
    {"abbr acronym b bdo big br cite code dfn em font i iframe img kbd map q s samp small span strike strong sub sup "
     "tt u "
     "var",
     "head"},
    {"blockquote dir div h1 h2 h3 h4 h5 h6 hr listing ol xmp", "head p"},
    {"address menu pre", "head p ul"},
    {"caption head title", "p"},
    {"td th", "a b font i p span td th u"},
    {"dd dl", "address dir dt head listing menu p pre xmp"},
    {"body frameset", "head p style title"},
    {"optgroup option", "option"},
    {"a", "a head"},
    {"fieldset", "a h1 h2 h3 h4 h5 h6 head legend listing p pre xmp"},
    {"table", "a h1 h2 h3 h4 h5 h6 head listing p pre xmp"},
    {"dt", "address dd dir head listing menu p pre xmp"},
    {"form", "address dir dl form h1 h2 h3 h4 h5 h6 head listing menu ol p pre ul xmp"},
    {"li", "address dl h1 h2 h3 h4 h5 h6 head li listing p pre xmp"},
    {"ul", "address dir head listing menu p pre xmp"},
    {"center", "b font head i p"},
    {"p", "b big h1 h2 h3 h4 h5 h6 head i p s small strike tt u"},
    {"col", "caption p"},
    {"colgroup", "caption colgroup p"},
    {"tbody", "caption colgroup p tbody td tfoot th thead tr"},
    {"tfoot", "caption colgroup p tbody td th thead tr"},
    {"thead", "caption colgroup"},
    {"tr", "caption colgroup p td th tr"},
};

constexpr std::string_view kEmpty = "area base basefont br col frame hr img input isindex link meta param";
constexpr std::string_view kMetadata = "script style meta link title base";
constexpr std::string_view kFrames = "noframes frame frameset";
constexpr std::string_view kWithReferences = "title textarea";
constexpr std::string_view kRawText = "style xmp iframe noembed noframes";
constexpr std::string_view kByStrength[] = {"div", "td th", "tr", "thead tbody tfoot", "table", "head body", "html"};

std::unordered_map<std::string, ElementRules> make_rules() {
  std::unordered_map<std::string, ElementRules> rules;
  for (std::size_t i = 0; i < std::size(kGroups); ++i) {
    const std::uint64_t group = std::uint64_t{1} << i;
    each_name(kGroups[i].start_tags, [&](const std::string& name) { rules[name].group = group; });
    each_name(kGroups[i].end, [&](const std::string& name) { rules[name].ended_by |= group; });
  }
  each_name(kEmpty, [&](const std::string& name) { rules[name].empty = true; });
  each_name(kMetadata, [&](const std::string& name) { rules[name].metadata = true; });
  each_name(kFrames, [&](const std::string& name) { rules[name].frames = true; });
  each_name(kWithReferences, [&](const std::string& name) { rules[name].content = Content::text_with_references; });
  each_name(kRawText, [&](const std::string& name) { rules[name].content = Content::raw_text; });
  rules["script"].content = Content::script;
  rules["plaintext"].content = Content::plain_text;
  std::uint8_t strength = 0;
  for (const auto names : kByStrength) {
    ++strength;
    each_name(names, [&](const std::string& name) { rules[name].strength = strength; });
  }
  return rules;
}

}  // namespace

OpenElements::OpenElements() {
  last_of_strength_.fill(kNone);
  html = number("html");
  head = number("head");
  body = number("body");
  paragraph = number("p");
}

std::uint32_t OpenElements::number(std::string_view lower_case_name) {
  static const auto known = make_rules();
  const auto [entry, added] =
      numbers_.try_emplace(std::string(lower_case_name), static_cast<std::uint32_t>(names_.size()));
  if (added) {
    const auto found = known.find(entry->first);
    names_.push_back(entry->first);
    rules_.push_back(found != known.end() ? found->second : ElementRules{});
    last_.push_back(kNone);
  }
  return entry->second;
}

std::size_t OpenElements::ended_by_end_tag(std::uint32_t number) const noexcept {
  const std::size_t found = last_[number];
  if (found == kNone) return kNone;
  for (std::size_t stronger = rules_[number].strength + 1U; stronger < kStrengths; ++stronger) {
    const std::size_t last = last_of_strength_[stronger];
    if (last != kNone && last > found) return kNone;
  }
  return found;
}

void OpenElements::push(std::uint32_t number) {
  auto& same_strength = last_of_strength_[rules_[number].strength];
  open_.push_back({number, last_[number], same_strength});
  last_[number] = same_strength = open_.size() - 1;
}

void OpenElements::pop() noexcept {
  const Open& ended = open_.back();
  last_[ended.number] = ended.same_name;
  last_of_strength_[rules_[ended.number].strength] = ended.same_strength;
  open_.pop_back();
}

}  // namespace corpusprep
