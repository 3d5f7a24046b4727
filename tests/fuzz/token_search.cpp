// Fuzz target: patterns and pieces of verticals that the input describes, beside a search that tries every sequence.
#include "inspection/token_search.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "demand.hpp"
#include "input.hpp"

namespace {

using corpusprep::FoundSequence;
using corpusprep::PlaceSet;
using corpusprep::SearchPattern;
using corpusprep::SearchWays;

constexpr std::size_t kTests = 4;

// A token passes a test if its last byte has one of its bits, or the test has none.
bool passes(std::string_view token, std::uint8_t bits) {
  return bits == 0 || (static_cast<unsigned char>(token.back()) & bits) != 0;
}

// Returns whether some way through the places leads over all `tokens`, from one of `here` on, to a last one.
bool leads(const std::vector<std::string_view>& tokens, std::size_t token, const PlaceSet& here,
           const SearchPattern& pattern, const std::vector<std::uint8_t>& bits) {
  bool found = false;
  here.each([&](std::size_t place) {
    if (found || !passes(tokens[token], bits[pattern.tests[place]])) return;
    found = token + 1 == tokens.size() ? pattern.ways[0].last.has(place)
                                       : leads(tokens, token + 1, pattern.ways[0].next[place], pattern, bits);
  });
  return found;
}

PlaceSet places(Input& input, std::size_t count, bool all) {
  PlaceSet set;
  const std::uint8_t drawn = input.byte();
  // One that is not there must be refused.
  for (std::size_t place = 0; place < (all ? 8 : count); ++place) {
    if ((drawn >> place) & 1) set.add(place);
  }
  return set;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const std::uint8_t choices = input.byte();
  const bool all_columns = choices & 1, any_place = (choices & 6) == 6;
  SearchPattern pattern;
  pattern.longest = choices & 8;
  if (choices & 16) pattern.structures = {"s", "p"};
  if (choices & 32) pattern.barriers = input.byte() | std::uint32_t{input.byte()} << 8;
  if (choices & 64) pattern.inside = std::uint32_t{input.byte()} << 16;
  std::vector<std::uint8_t> bits(kTests);
  std::uint32_t untested = 0;
  for (std::size_t test = 0; test < kTests; ++test) {
    bits[test] = input.byte();
    if (bits[test] == 0) untested |= 1U << test;
  }
  const std::size_t count = input.byte() % 6;
  for (std::size_t place = 0; place < count; ++place) pattern.tests.push_back(input.byte() % kTests);
  bool refused = count == 0;
  for (std::size_t number = 0; number <= ((choices & 128) != 0 ? 1U : 0U); ++number) {
    SearchWays ways;
    ways.bounds = number == 0 ? 0 : input.byte();
    ways.first = places(input, count, any_place);
    for (std::size_t place = 0; place < count; ++place) ways.next.push_back(places(input, count, any_place));
    ways.last = places(input, count, any_place);
    const auto check = [&](const PlaceSet& set) { set.each([&](std::size_t place) { refused |= place >= count; }); };
    check(ways.first);
    check(ways.last);
    std::ranges::for_each(ways.next, check);
    pattern.ways.push_back(ways);
  }
  std::array<std::uint8_t, 256> every{};
  every.fill(1);
  try {
    corpusprep::TokenSearch search(pattern, every, every, untested, all_columns);
    demand(!refused);
    for (int round = 0; round < 2; ++round) {
      const std::string piece = input.text(round == 0 ? input.byte() : size);
      search.number(piece);
      std::vector<std::uint32_t> decisions;
      for (const auto& type : search.fresh()) {
        demand(!type.empty());
        decisions.push_back(0);
        for (std::size_t test = 0; test < kTests; ++test) {
          decisions.back() |= std::uint32_t{passes(type, bits[test])} << test;
        }
      }
      search.decide(decisions.data(), decisions.size());
      for (std::size_t token = 0; token < search.size(); ++token) demand(search.type(token) < search.types());
      std::vector<FoundSequence> found;
      search.match(found);
      std::int64_t before = -1;
      for (const auto& [document, block, begin, end, first, stop] : found) {
        demand(document <= block && block < begin && before < begin && begin < end);
        demand(end <= static_cast<std::int64_t>(piece.size()) && (begin == 0 || piece[begin - 1] == '\n'));
        demand(0 <= first && first < stop && stop <= static_cast<std::int64_t>(search.size()) && stop - first <= 255);
        before = begin;
        std::vector<std::string_view> tokens;
        for (auto line = begin; line < end;) {
          const auto line_end = std::min(piece.find('\n', line), piece.size());
          std::string_view token = std::string_view(piece).substr(line, line_end - line);
          if (!all_columns) token = token.substr(0, token.find('\t'));
          // A line whose first column is empty is no token.
          if (!token.empty() && token.front() != '<' && token.front() != '\t') tokens.push_back(token);
          line = static_cast<std::int64_t>(line_end) + 1;
        }
        const bool plain = piece.find('<', begin) >= static_cast<std::size_t>(end);
        if (!plain || pattern.ways.size() > 1) continue;
        demand(static_cast<std::int64_t>(tokens.size()) == stop - first);
        if (tokens.size() > 10) continue;  // trying every way takes long
        for (std::size_t length = 1; length < tokens.size(); ++length) {
          const std::vector<std::string_view> shorter(tokens.begin(), tokens.begin() + length);
          demand(pattern.longest || !leads(shorter, 0, pattern.ways[0].first, pattern, bits));
        }
        demand(leads(tokens, 0, pattern.ways[0].first, pattern, bits));
      }
    }
  } catch (const std::invalid_argument&) {
    demand(refused);
  }
  return 0;
}
