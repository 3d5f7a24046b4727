// Fuzz target: Victor's features of a page that the input holds, and random fields that it describes.
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "demand.hpp"
#include "input.hpp"
#include "pages/chain_model.hpp"
#include "pages/victor_features.hpp"

namespace {

// Most fields have a shape that fits; the numbers in them are any.
corpusprep::ChainArrays field_of(Input& input) {
  corpusprep::ChainArrays field;
  const std::uint8_t wrong = input.byte();
  for (unsigned left = 2 + input.byte() % (wrong == 1 ? 40 : 5); left > 0; --left) {
    field.content.push_back(static_cast<std::uint8_t>(wrong == 2 ? input.byte() : left % 2));
  }
  const auto labels = field.content.size();
  const auto weight = [&] { return static_cast<std::int32_t>(wrong == 3 ? input.word() : input.byte() * 257U); };
  for (unsigned left = input.byte() % 8; left > 0; --left) {
    field.columns.push_back(static_cast<std::uint16_t>(input.byte() % corpusprep::kVictorFeatures.size()));
    field.offsets.push_back(static_cast<std::int16_t>(wrong == 4 ? input.byte() * 257 : input.byte() % 7 - 3));
    const std::uint8_t borders = input.byte() % 4;
    field.border_counts.push_back(static_cast<std::uint8_t>(wrong == 5 ? input.byte() : borders));
    for (unsigned border = 0; border < borders; ++border) field.borders.push_back(input.byte());
    if (wrong != 6) std::sort(field.borders.end() - borders, field.borders.end());
    for (std::size_t i = 0; i < (borders + 2U) * labels + (wrong == 7); ++i) field.weights.push_back(weight());
  }
  for (std::size_t i = 0; i < labels * labels + (wrong == 8); ++i) field.transitions.push_back(weight());
  for (std::int32_t added = 2839; added > 0; added -= 1 + input.byte()) field.log_add.push_back(added);
  for (std::int32_t step = -500; step < 500; ++step) field.score_borders.push_back(wrong == 9 ? -step : 100 * step);
  return field;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  try {
    const corpusprep::ChainModel field(field_of(input));
    std::string text;
    std::vector<std::int64_t> offsets{0};
    std::vector<std::uint32_t> words;
    while (!input.ended()) {
      const std::size_t length = input.byte();
      text += utf8_of(input.text(length));
      offsets.push_back(static_cast<std::int64_t>(text.size()));
      words.push_back(static_cast<std::uint32_t>(length));
    }
    const std::size_t blocks = words.size();
    std::vector<std::uint8_t> values(corpusprep::kVictorFeatures.size() * blocks), again(values), labels(blocks);
    std::vector<std::uint16_t> scores(blocks);
    for (auto* found : {&values, &again}) {
      corpusprep::victor_features(text, offsets.data(), words.data(), blocks, found->data(), blocks);
    }
    demand(values == again);
    field.decode(values.data(), blocks, blocks, labels.data(), scores.data());
    for (std::size_t i = 0; i < blocks; ++i) demand(labels[i] < field.labels() && scores[i] <= 1000);
  } catch (const std::invalid_argument&) {
    // The field was refused.
  }
  return 0;
}
