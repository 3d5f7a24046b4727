// What is added up over the parts of a text, such as its words.
#pragma once

#include <cstdint>
#include <string_view>

namespace corpusprep {

struct TextSum {
  std::int64_t sum = 0, parts = 0;
};

class TextMeasure {
 public:
  virtual ~TextMeasure() = default;
  // Measures a text (UTF-8, below 4 GiB).
  virtual TextSum measure(std::string_view text) = 0;

 protected:
  TextMeasure() = default;
  TextMeasure(const TextMeasure&) = default;
  TextMeasure& operator=(const TextMeasure&) = default;
};

}  // namespace corpusprep
