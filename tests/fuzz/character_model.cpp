// Fuzz target: models of characters that the input describes, on text that it holds.
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "demand.hpp"
#include "input.hpp"
#include "pages/ncleaner.hpp"

namespace {

void sort_once(std::vector<std::uint32_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  corpusprep::SymbolArrays symbols;
  corpusprep::TrigramArrays trigrams;
  // Most models have a shape that fits; the numbers in them are any.
  const std::uint8_t wrong = input.byte();
  trigrams.count = wrong == 1 ? input.word() : input.byte() + std::uint32_t{2};
  const std::size_t count = std::clamp<std::size_t>(trigrams.count, 2, 260);
  for (auto& symbol : symbols.classes) {
    symbol = static_cast<std::uint8_t>(wrong == 2 ? input.byte() : 1 + input.byte() % (count - 1));
  }
  for (unsigned left = input.byte(); left > 0; --left) {
    symbols.characters.push_back(wrong == 3 ? input.word() : input.byte() * 257U);
    symbols.symbols.push_back(static_cast<std::uint8_t>(wrong == 4 ? input.byte() : 1 + input.byte() % (count - 1)));
  }
  if (wrong != 5) {
    sort_once(symbols.characters);
    symbols.symbols.resize(symbols.characters.size(), 1);
  }
  const auto weight = [&] { return static_cast<std::int16_t>(input.byte() * 257); };
  for (std::size_t i = 0; i < count * count + (wrong == 6); ++i) trigrams.pairs.push_back(i < 64 ? weight() : 7);
  for (std::size_t i = 0; i < count * count + (wrong == 7); ++i) trigrams.contexts.push_back(i < 64 ? weight() : -7);
  for (unsigned left = input.byte(); left > 0; --left) {
    trigrams.trigrams.push_back(wrong == 8 ? input.word()
                                           : static_cast<std::uint32_t>(input.word() % (count * count * count)));
    trigrams.weights.push_back(weight());
  }
  if (wrong != 9) {
    sort_once(trigrams.trigrams);
    trigrams.weights.resize(trigrams.trigrams.size() + (wrong == 10));
  }
  try {
    const corpusprep::CharacterModel model(symbols, trigrams);
    const std::string_view text = input.rest();
    const corpusprep::Segment found = model.measure(text);
    const auto most = static_cast<std::int64_t>(text.size() + 1) * 65536;
    demand(found.sum <= most && found.sum >= -most && found.letters + found.bars <= text.size());
  } catch (const std::invalid_argument&) {
    // The model was refused.
  }
  return 0;
}
