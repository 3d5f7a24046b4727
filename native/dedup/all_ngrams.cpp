#include "dedup/all_ngrams.hpp"

#include <algorithm>
#include <utility>

namespace corpusprep::ngrams {

NgramPartitioner::NgramPartitioner(const std::string& path, std::uint32_t n, std::size_t capacity, DocumentMask mask,
                                   std::uint32_t parts)
    : mask_(std::move(mask)), keys_(path, n, capacity, 0, parts), reader_(*this) {}

void NgramPartitioner::feed(std::string_view chunk) {
  chunk_ = chunk;
  reader_.feed(chunk);
}

void NgramPartitioner::finish() {
  chunk_ = {};
  reader_.finish();
  keys_.finish();
}

void NgramPartitioner::document_end() {
  drain();
  keys_.end_document();
}

void NgramPartitioner::drain() { keys_.add(word_keys_.data(), std::exchange(waiting_, 0)); }

std::size_t RepeatedNgramCounter::bytes_for(std::size_t largest) noexcept {
  return largest * sizeof(std::uint64_t) + 2 * RepeatedKeys<std::uint64_t>::kTableBytes;
}

RepeatedNgramCounter::RepeatedNgramCounter(const std::vector<KeySource>& sources, std::size_t partitions,
                                           std::size_t buffer_bytes)
    : runs_(sources, partitions, buffer_bytes),
      keys_(runs_.sizes().empty() ? 0 : *std::ranges::max_element(runs_.sizes())) {}

bool RepeatedNgramCounter::advance() {
  const auto& sizes = runs_.sizes();
  if (partition_ == sizes.size()) {
    runs_.finish();
    return false;
  }
  const std::size_t end = std::min(partition_ + kStep, sizes.size());
  for (; partition_ != end; ++partition_) {
    runs_.read(keys_.get());
    repeated_.find(keys_.get(), sizes[partition_], [&](std::uint64_t, bool again) {
      totals_.types += !again;
      totals_.instances += again ? 1 : 2;
    });
  }
  return true;
}

}  // namespace corpusprep::ngrams
