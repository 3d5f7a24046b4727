#include "text/word_set.hpp"

namespace corpusprep {

WordSet::WordSet(const std::vector<std::string>& forms) : starts_{0}, slots_(std::bit_ceil(4 * forms.size() + 1)) {
  for (const auto& form : forms) {
    if (form.empty() || contains(form)) continue;
    const std::uint64_t key = word_key(form);
    std::size_t slot = key & (slots_.size() - 1);
    while (slots_[slot].form != kNone) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = {static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(starts_.size() - 1)};
    bytes_ += form;
    starts_.push_back(static_cast<std::uint32_t>(bytes_.size()));
    lengths_.add(form);
    longest_ = std::max(longest_, form.size());
  }
}

std::size_t WordSet::longest_prefix(std::string_view text) const noexcept {
  for (std::size_t size = std::min(text.size(), longest_); size != 0; --size) {
    const bool inside = size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80;
    if (!inside && contains(text.substr(0, size))) return size;
  }
  return 0;
}

}  // namespace corpusprep
