#include "pages/hidden_text.hpp"

namespace corpusprep {

void leave_out_hidden(const std::uint32_t* sizes, const std::uint8_t* hidden, std::uint16_t* scores,
                      std::size_t blocks) noexcept {
  std::uint64_t shown_size = 0, hidden_size = 0;
  for (std::size_t i = 0; i < blocks; ++i) {
    if (scores[i] >= kMainScore) (hidden[i] ? hidden_size : shown_size) += sizes[i];
  }
  if (shown_size <= hidden_size) return;
  for (std::size_t i = 0; i < blocks; ++i) {
    if (hidden[i]) scores[i] = 0;
  }
}

}  // namespace corpusprep
