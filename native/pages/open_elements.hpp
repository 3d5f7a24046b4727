// The stack of open elements of libxml2's HTML parser: which tags open and end which elements.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace corpusprep {

// How the parser reads what follows a start tag.
enum class Content : std::uint8_t { markup, text_with_references, raw_text, script, plain_text };

// What the parser knows about a name.
struct ElementRules {
  Content content = Content::markup;
  bool empty = false;          // has no content and no end tag
  bool metadata = false;       // makes a <head>
  bool frames = false;         // does not make a <body>
  std::uint8_t strength = 0;   // an end tag does not end elements that are stronger than its own
  std::uint64_t ended_by = 0;  // a set of groups: a start tag of one of them ends the element, if it is the innermost
  std::uint64_t group = 0;     // the set of its own group
};

// The open elements of a page. Names are numbered per page; each operation takes constant time, but for elements that
// it ends.
class OpenElements {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  OpenElements();

  std::uint32_t number(std::string_view lower_case_name);  // of a name
  const std::string& name(std::uint32_t number) const noexcept { return names_[number]; }
  const ElementRules& rules(std::uint32_t number) const noexcept { return rules_[number]; }

  std::size_t size() const noexcept { return open_.size(); }
  std::uint32_t innermost() const noexcept { return open_.back().number; }
  bool contains(std::uint32_t number) const noexcept { return last_[number] != kNone; }
  // Returns whether a start tag ends the innermost element.
  bool ended_by(std::uint32_t number) const noexcept {
    return !open_.empty() && (rules_[innermost()].ended_by & rules_[number].group) != 0;
  }
  // Returns the index of the element that an end tag ends, with all inside; kNone if it ends nothing.
  std::size_t ended_by_end_tag(std::uint32_t number) const noexcept;

  void push(std::uint32_t number);
  void pop() noexcept;

  // Names that the parser treats apart.
  std::uint32_t html = 0, head = 0, body = 0, paragraph = 0;

 private:
  static constexpr std::size_t kStrengths = 8;
  struct Open {
    std::uint32_t number = 0;
    std::size_t same_name = kNone, same_strength = kNone;  // the last ones before
  };

  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<std::string> names_;
  std::vector<ElementRules> rules_;
  std::vector<std::size_t> last_;  // by number of name: the last open element
  std::array<std::size_t, kStrengths> last_of_strength_{};
  std::vector<Open> open_;
};

}  // namespace corpusprep
