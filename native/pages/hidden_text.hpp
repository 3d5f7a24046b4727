// Lowers the scores of blocks that a page does not show.
#pragma once

#include <cstddef>
#include <cstdint>

namespace corpusprep {

// From that score on a block counts as main content where the texts shown and hidden are weighed.
inline constexpr std::uint16_t kMainScore = 500;

// Sets the scores of the hidden blocks of a page to 0 if more of the main content is shown than hidden.
//   sizes    bytes of the text of each block
//   hidden   per block, whether it is in an element that is not shown
void leave_out_hidden(const std::uint32_t* sizes, const std::uint8_t* hidden, std::uint16_t* scores,
                      std::size_t blocks) noexcept;

}  // namespace corpusprep
