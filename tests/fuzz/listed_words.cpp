// Fuzz target: lists of any words, counted in any bytes.
#include "languages/listed_words.hpp"

#include <array>
#include <cstdint>
#include <numeric>
#include <string_view>

#include "demand.hpp"
#include "input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const auto first = input.text(input.byte());
  const auto second = input.text(input.byte());
  const std::array<std::string_view, 3> lists = {first, second, first};
  const corpusprep::ListedWords words(lists);
  const auto text = input.rest();
  const auto found = words.counts(text);
  demand(found.size() == lists.size() && found[0] == found[2]);
  demand(std::accumulate(found.begin(), found.end(), std::size_t{0}) <=
         lists.size() * (text.size() + 1) / 2 + lists.size());
  return 0;
}
