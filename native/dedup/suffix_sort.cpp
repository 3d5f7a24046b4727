#include "dedup/suffix_sort.hpp"

#include <bit>
#include <utility>

namespace corpusprep::ngrams {

template <class Visit>
void SuffixSorter::each_ngram(Visit visit) const {
  std::uint64_t first = 0, next = 0;  // places of the n-gram's code, and of the code behind it
  std::size_t ids = 0, head = 0;      // ids of the segment so far; the n-gram's first
  for (std::size_t i = 0; i < size_; ++i) {
    if (lengths_[i] == 0) {
      ids = 0;
      continue;
    }
    if (ids++ == 0) {
      first = next;
      head = i;
    }
    next += lengths_[i];
    if (ids >= n_) {
      visit(first, static_cast<std::size_t>(next - first));
      first += lengths_[head++];
    }
  }
}

void SuffixSorter::scatter() {
  codes_.settle();
  // About 32 suffixes a bucket if codes were spread evenly; ten times as many, as they are.
  bucket_bits_ = static_cast<unsigned>(std::clamp<int>(static_cast<int>(std::bit_width(size_)) - 5, 1, 16));
  const unsigned shift = 64 - bucket_bits_;
  buckets_.assign(std::size_t{1} << bucket_bits_, 0);
  each_ngram([&](std::uint64_t place, std::size_t length) { ++buckets_[codes_.group(place, length) >> shift]; });
  std::uint32_t total = 0;
  for (auto& bucket : buckets_) total += std::exchange(bucket, total);
  each_ngram([&](std::uint64_t place, std::size_t length) {
    const std::uint64_t key = codes_.group(place, length);
    suffixes_[buckets_[key >> shift]++] = {key, place << kLengthBits | length};
  });
}

void SuffixSorter::restart() noexcept {
  const std::size_t kept = std::min<std::size_t>(segment_, n_ - 1);
  std::array<std::uint32_t, kLongestNgram> ids;
  for (std::size_t i = 0; i < kept; ++i) ids[i] = last_[(segment_ - kept + i) % last_.size()];
  segment_start_ = {};
  codes_.cut(segment_start_);
  size_ = 0;
  segment_ = 0;
  for (std::size_t i = 0; i < kept; ++i) append(ids[i]);
}

void SuffixSorter::insertion(std::size_t start, std::size_t end) noexcept {
  for (std::size_t i = start + 1; i < end; ++i) {
    const Suffix suffix = suffixes_[i];
    std::size_t j = i;
    for (; j > start && suffixes_[j - 1].key > suffix.key; --j) suffixes_[j] = suffixes_[j - 1];
    suffixes_[j] = suffix;
  }
}

void SuffixSorter::radix(std::size_t start, std::size_t end, int bits) noexcept {
  if (end - start <= kFew) return insertion(start, end);
  // Bits in which all keys agree need no pass.
  std::uint64_t differing = 0;
  for (std::size_t i = start + 1; i < end; ++i) differing |= suffixes_[i].key ^ suffixes_[start].key;
  bits = std::min(bits, static_cast<int>(std::bit_width(differing)));
  if (bits == 0) return;

  const int shift = std::max(bits - 8, 0);
  // With fewer than 8 bits left, the digit's bits above them are equal in all keys.
  const auto digit = [&](const Suffix& suffix) { return static_cast<std::size_t>(suffix.key >> shift) & 0xFF; };
  std::array<std::size_t, 256> next, ends{};
  for (std::size_t i = start; i < end; ++i) ++ends[digit(suffixes_[i])];
  std::size_t total = start;
  for (std::size_t d = 0; d < 256; ++d) {
    next[d] = total;
    ends[d] = total += ends[d];
  }
  for (std::size_t d = 0; d < 256; ++d) {
    while (next[d] < ends[d]) {
      Suffix suffix = suffixes_[next[d]];
      for (std::size_t to = digit(suffix); to != d; to = digit(suffix)) std::swap(suffix, suffixes_[next[to]++]);
      suffixes_[next[d]++] = suffix;
    }
  }
  if (shift == 0) return;
  for (std::size_t d = 0; d < 256; ++d) {
    const std::size_t first = d == 0 ? start : ends[d - 1];
    if (ends[d] - first > 1) radix(first, ends[d], shift);
  }
}

}  // namespace corpusprep::ngrams
