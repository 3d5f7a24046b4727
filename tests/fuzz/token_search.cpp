// Fuzz target: patterns and pieces of verticals that the input describes, beside a search that tries every sequence.
#include "inspection/token_search.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "demand.hpp"
#include "input.hpp"

namespace {

using corpusprep::FoundSequence;
using corpusprep::SearchElement;

// An element's tests: a token passes if its last byte has one of these bits.
struct Element {
  SearchElement range;
  std::uint8_t bits;
};

bool passes(std::string_view token, const Element& element) {
  return element.bits == 0 || (static_cast<unsigned char>(token.back()) & element.bits) != 0;
}

// Returns the length of the shortest sequence at the first of `tokens`; 0 if there is none.
std::size_t shortest(const std::vector<std::string_view>& tokens, std::size_t first,
                     const std::vector<Element>& elements, std::size_t element) {
  if (element == elements.size()) return 0;
  constexpr std::size_t kNone = 1000;
  std::size_t best = kNone;
  for (std::size_t taken = 0; taken <= elements[element].range.most; ++taken) {
    if (taken >= elements[element].range.least) {
      best = std::min(best, taken + shortest(tokens, first + taken, elements, element + 1));
    }
    if (first + taken >= tokens.size() || !passes(tokens[first + taken], elements[element])) break;
  }
  return best;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const bool all_columns = input.byte() % 2;
  std::vector<Element> elements(input.byte() % 5);
  std::vector<SearchElement> ranges;
  std::uint32_t untested = 0;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    elements[i] = {{input.byte() % 3U, input.byte() % 4U}, input.byte()};
    ranges.push_back(elements[i].range);
    if (elements[i].bits == 0) untested |= 1U << i;
  }
  std::array<std::uint8_t, 256> every{};
  every.fill(1);
  bool refused = elements.empty();
  for (const auto& [range, bits] : elements) refused |= range.most == 0 || range.least > range.most;
  refused = refused || elements.front().range.least == 0;
  try {
    corpusprep::TokenSearch search(ranges, every, every, untested, all_columns);
    demand(!refused);
    for (int round = 0; round < 2; ++round) {
      const std::string piece = input.text(round == 0 ? input.byte() : size);
      search.number(piece);
      std::vector<std::uint32_t> bits;
      for (const auto& type : search.fresh()) {
        demand(!type.empty());
        bits.push_back(0);
        for (std::size_t i = 0; i < elements.size(); ++i) bits.back() |= std::uint32_t{passes(type, elements[i])} << i;
      }
      search.decide(bits.data(), bits.size());
      std::vector<FoundSequence> found;
      search.match(found);
      std::int64_t before = -1;
      for (const auto& [document, block, begin, end] : found) {
        demand(document <= block && block < begin && before < begin && begin < end);
        demand(end <= static_cast<std::int64_t>(piece.size()) && (begin == 0 || piece[begin - 1] == '\n'));
        before = begin;
        std::vector<std::string_view> tokens;
        for (auto line = begin; line < end;) {
          const auto stop = std::min(piece.find('\n', line), piece.size());
          std::string_view token = std::string_view(piece).substr(line, stop - line);
          if (!all_columns) token = token.substr(0, token.find('\t'));
          // A line whose first column is empty is no token.
          if (!token.empty() && token.front() != '<' && token.front() != '\t') tokens.push_back(token);
          line = static_cast<std::int64_t>(stop) + 1;
        }
        const bool plain = piece.find('<', begin) >= static_cast<std::size_t>(end);
        if (plain) demand(shortest(tokens, 0, elements, 0) == tokens.size());
      }
    }
  } catch (const std::invalid_argument&) {
    demand(refused);
  }
  return 0;
}
