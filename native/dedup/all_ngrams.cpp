#include "dedup/all_ngrams.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
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

std::size_t RepeatedNgramCounter::room_for(std::size_t largest, std::size_t slices) noexcept {
  if (slices == 1) return largest;
  const auto deviation = static_cast<std::size_t>(std::sqrt(static_cast<double>(largest)));
  return largest / slices + 10 * deviation + 64;
}

std::size_t RepeatedNgramCounter::bytes_for(std::size_t largest, std::size_t slices) noexcept {
  return room_for(largest, slices) * sizeof(std::uint64_t) + 2 * RepeatedKeys<std::uint64_t>::kTableBytes;
}

RepeatedNgramCounter::RepeatedNgramCounter(std::vector<KeySource> sources, std::size_t partitions,
                                           std::size_t buffer_bytes, std::size_t slices)
    : sources_(std::move(sources)), partitions_(partitions), buffer_bytes_(buffer_bytes), slices_(slices) {
  open();
  const auto& sizes = runs_->sizes();
  keys_.resize(room_for(sizes.empty() ? 0 : *std::ranges::max_element(sizes), slices));
}

void RepeatedNgramCounter::open() {
  runs_.reset();  // first: both together could be more files than a process may have open
  runs_ = std::make_unique<KeyRuns<std::uint64_t>>(sources_, partitions_, buffer_bytes_);
}

// Leaves two of each key; more are counted here. Takes more memory only if nearly all of them differ.
void RepeatedNgramCounter::make_room() {
  std::sort(keys_.get(), keys_.get() + held_);
  std::size_t left = 0;
  for (std::size_t i = 0; i < held_; ++i) {
    if (left < 2 || keys_[left - 2] != keys_[i]) keys_[left++] = keys_[i];
  }
  totals_.instances += held_ - left;
  held_ = left;
  if (held_ > keys_.size() / 4 * 3) keys_.resize(keys_.size() + keys_.size() / 4 + 64);
}

// Reads the keys of the slice in the next partition; returns their number.
std::size_t RepeatedNgramCounter::read_slice() {
  if (slices_ == 1) {
    runs_->read(keys_.get());
    return runs_->sizes()[partition_];
  }
  held_ = 0;
  runs_->read_pieces([&](const std::uint64_t* keys, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (static_cast<std::size_t>(static_cast<unsigned __int128>(keys[i]) * slices_ >> 64) != slice_) continue;
      if (held_ == keys_.size()) make_room();
      keys_[held_++] = keys[i];
    }
  });
  return held_;
}

bool RepeatedNgramCounter::advance() {
  if (partition_ == partitions_) {
    runs_->finish();
    if (++slice_ == slices_) return false;
    partition_ = 0;
    open();
  }
  const std::size_t end = std::min(partition_ + kStep, partitions_);
  for (; partition_ != end; ++partition_) {
    repeated_.find(keys_.get(), read_slice(), [&](std::uint64_t, bool again) {
      totals_.types += !again;
      totals_.instances += again ? 1 : 2;
    });
  }
  return true;
}

}  // namespace corpusprep::ngrams
