#include "dedup/suffix_sort.hpp"

#include "common/radix_sort.hpp"

namespace corpusprep::ngrams {

template <class Visit>
void SuffixSorter::each_ngram(Visit visit) const {
  std::uint64_t first = 0, next = 0;  // places of the n-gram's code and of the code after it
  std::size_t ids = 0, head = 0;      // ids of the segment so far; the first id of the n-gram
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
      visit(first, static_cast<std::size_t>(next - first), i);
      first += lengths_[head++];
    }
  }
}

void SuffixSorter::scatter() {
  codes_.settle();
  // About 32 suffixes per bucket if the codes were distributed evenly; in texts, about 320.
  bucket_bits_ = bucket_bits(size_, 5, 16);
  const auto each = [&](auto visit) {
    each_ngram([&](std::uint64_t place, std::size_t length, std::size_t last) {
      std::uint64_t key = codes_.group(place, length);
      if (part_bits_ != 0) key = key >> part_bits_ | std::uint64_t{parts_[last]} << (64 - part_bits_);
      visit(Suffix{key, place << kLengthBits | length});
    });
  };
  radix_scatter(each, bucket_bits_, suffixes_.get(), buckets_);
}

void SuffixSorter::restart() noexcept {
  const std::size_t kept = std::min<std::size_t>(segment_, n_ - 1);
  std::array<std::uint32_t, kLongestNgram> ids;
  for (std::size_t i = 0; i < kept; ++i) ids[i] = last_[(segment_ - kept + i) % last_.size()];
  segment_start_ = {};
  codes_.cut(segment_start_);
  size_ = 0;
  segment_ = 0;
  for (std::size_t i = 0; i < kept; ++i) append(ids[i], 0);
}

}  // namespace corpusprep::ngrams
