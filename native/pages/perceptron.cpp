#include "pages/perceptron.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace corpusprep {

namespace {

constexpr std::int64_t kLargestBias = std::int64_t{1} << 52;

bool small(std::int64_t bias) noexcept { return bias > -kLargestBias && bias < kLargestBias; }

}  // namespace

Perceptron::Perceptron(PerceptronArrays arrays, std::size_t features)
    : arrays_(std::move(arrays)), features_(features) {
  const std::size_t units = arrays_.hidden_biases.size();
  if (units == 0 || units > 1024 || features == 0 || features > 1024) {
    throw std::invalid_argument("a perceptron has 1 to 1,024 hidden units and features");
  }
  if (arrays_.hidden_weights.size() != units * features || arrays_.output_weights.size() != units) {
    throw std::invalid_argument("the weights do not fit the features and the hidden units");
  }
  if (!std::ranges::all_of(arrays_.hidden_biases, small) || !small(arrays_.output_bias)) {
    throw std::invalid_argument("a bias is out of range");
  }
  if (arrays_.activation.size() != kActivations)
    throw std::invalid_argument("the table of activations has another size");
  if (arrays_.borders.size() != kPerceptronSteps || !std::ranges::is_sorted(arrays_.borders)) {
    throw std::invalid_argument("the borders of scores do not ascend");
  }
}

void Perceptron::score(const std::int16_t* values, std::size_t blocks, std::uint16_t* scores) const noexcept {
  constexpr std::int64_t half = kActivations / 2;
  for (std::size_t block = 0; block < blocks; ++block, values += features_) {
    const std::int32_t* weights = arrays_.hidden_weights.data();
    std::int64_t output = arrays_.output_bias;
    for (std::size_t unit = 0; unit < arrays_.hidden_biases.size(); ++unit, weights += features_) {
      std::int64_t sum = arrays_.hidden_biases[unit];
      for (std::size_t i = 0; i < features_; ++i) sum += std::int64_t{weights[i]} * values[i];
      const auto place = std::clamp(sum >> kActivationBits, -half, half - 1) + half;
      output += std::int64_t{arrays_.output_weights[unit]} * arrays_.activation[static_cast<std::size_t>(place)];
    }
    const auto& borders = arrays_.borders;
    scores[block] = static_cast<std::uint16_t>(std::ranges::upper_bound(borders, output) - borders.begin());
  }
}

}  // namespace corpusprep
