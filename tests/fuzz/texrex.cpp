// Fuzz target: texrex's blocks and features of pages that the input holds, and perceptrons that it describes.
#include "pages/texrex.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "demand.hpp"
#include "input.hpp"
#include "pages/perceptron.hpp"
#include "text/word_set.hpp"

namespace {

// Most perceptrons have a shape that fits; the numbers in them are any.
corpusprep::PerceptronArrays perceptron_of(Input& input, std::uint8_t wrong) {
  corpusprep::PerceptronArrays arrays;
  const std::size_t units = input.byte() % 20;
  std::uint32_t state = input.word();
  const auto weight = [&] {
    state = state * 1664525U + 1013904223U;
    return wrong == 1 ? static_cast<std::int32_t>(state) : static_cast<std::int32_t>(state % 180000U) - 90000;
  };
  for (std::size_t i = 0; i < units * corpusprep::kTexrexFeatures + (wrong == 2); ++i) {
    arrays.hidden_weights.push_back(weight());
  }
  for (std::size_t i = 0; i < units + (wrong == 3); ++i) arrays.hidden_biases.push_back(std::int64_t{weight()} << 14);
  for (std::size_t i = 0; i < units + (wrong == 4); ++i) arrays.output_weights.push_back(weight());
  for (std::size_t i = 0; i < corpusprep::kActivations + (wrong == 5); ++i) {
    arrays.activation.push_back(static_cast<std::int16_t>(16 * i - 32768));
  }
  for (std::size_t i = 0; i < corpusprep::kPerceptronSteps + (wrong == 6); ++i) {
    const auto step = static_cast<std::int64_t>(i) - 500;
    arrays.borders.push_back((wrong == 7 ? -step : step) * 1'000'000);
  }
  arrays.output_bias = wrong == 8 ? std::int64_t{weight()} << 31 : weight();
  return arrays;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const std::uint8_t wrong = input.byte();
  const bool forms = input.byte() % 2;
  const corpusprep::References references{{"amp;", "&"}, {"amp", "&"}, {"lt;", "<"}, {"nbsp;", "\xC2\xA0"}};
  const corpusprep::WordSet stop_words({"a"});
  corpusprep::BlockColumns columns;
  corpusprep::BlockBuilder builder(stop_words, columns, 0);
  corpusprep::TexrexReader reader(builder, columns, references, forms);
  try {
    const corpusprep::Perceptron perceptron(perceptron_of(input, wrong), corpusprep::kTexrexFeatures);
    const auto page = utf8_of(input.rest());
    for (int time = 0; time < 2; ++time) reader.add(page);  // nothing may remain of the page before
    const auto& features = reader.features();
    const std::size_t blocks = columns.size();
    demand(columns.pages.size() == 3 && blocks % 2 == 0 && features.size() == blocks * corpusprep::kTexrexFeatures);
    demand(
        std::equal(features.begin(), features.begin() + features.size() / 2, features.begin() + features.size() / 2));
    std::vector<std::uint16_t> scores(blocks);
    perceptron.score(features.data(), blocks, scores.data());
    for (const auto score : scores) demand(score <= corpusprep::kPerceptronSteps);
  } catch (const std::invalid_argument&) {
    // The perceptron was refused.
  }
  return 0;
}
