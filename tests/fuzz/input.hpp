// Numbers and text that a fuzz target reads from its input; zeros and nothing after its end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  bool ended() const { return place_ >= size_; }
  std::uint8_t byte() { return ended() ? std::uint8_t{0} : data_[place_++]; }
  std::uint32_t word() {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) value = value << 8 | byte();
    return value;
  }
  std::string text(std::size_t length) {
    const auto taken = std::min(length, size_ - place_);
    std::string found(reinterpret_cast<const char*>(data_ + place_), taken);
    place_ += taken;
    return found;
  }
  std::string_view rest() const { return {reinterpret_cast<const char*>(data_) + place_, size_ - place_}; }

 private:
  const std::uint8_t* data_;
  std::size_t size_, place_ = 0;
};

// Latin-1 as UTF-8: any input is a text.
inline std::string utf8_of(std::string_view latin) {
  std::string found;
  for (const char c : latin) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) found += static_cast<char>(0xC0 | byte >> 6);
    found += static_cast<char>(byte < 0x80 ? byte : 0x80 | (byte & 0x3F));
  }
  return found;
}
