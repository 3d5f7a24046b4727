// A multilayer perceptron with one hidden layer and one output, in whole numbers: the same scores on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace corpusprep {

inline constexpr int kActivationBits = 22;         // of a sum that are dropped for its place in the activation table
inline constexpr std::size_t kActivations = 4096;  // values of the activation, for sums from -8 to 8
inline constexpr std::size_t kPerceptronSteps = 1000;

// Feature values have 14 binary places, weights 16, so sums have 30; the values of the activation have 15. A sum of the
// output becomes a score: the number of `borders` that it reaches.
struct PerceptronArrays {
  std::vector<std::int32_t> hidden_weights;  // one row of `features` per hidden unit
  std::vector<std::int64_t> hidden_biases;   // per hidden unit
  std::vector<std::int32_t> output_weights;  // per hidden unit
  std::vector<std::int16_t> activation;      // kActivations
  std::vector<std::int64_t> borders;         // kPerceptronSteps ascending sums
  std::int64_t output_bias = 0;
};

// Immutable; shared between threads without locks.
class Perceptron {
 public:
  // Throws std::invalid_argument if the arrays do not fit together.
  Perceptron(PerceptronArrays arrays, std::size_t features);

  std::size_t features() const noexcept { return features_; }
  // Writes the scores, 0 to kPerceptronSteps, of `blocks` blocks. `values` has one row of features per block.
  void score(const std::int16_t* values, std::size_t blocks, std::uint16_t* scores) const noexcept;

 private:
  PerceptronArrays arrays_;
  std::size_t features_;
};

}  // namespace corpusprep
