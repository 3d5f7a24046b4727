// Suffix sort truncated at n ids (Pomikálek 2011, 3.4.2): suffixes that agree in n ids need no order.
//
// The ids of a chunk are concatenated as Elias codes. The first 64 bits of a suffix (about four ids) are its sort key.
// The suffixes are distributed to up to 65,536 buckets by the highest bits of the key. A bucket fits the cache and is
// sorted there by radix. Only suffixes with equal keys are compared again, by their next 64 bits.
//
// N-grams may belong to parts, which are sorted one after another: as if the number of the part stood before the code.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/page_array.hpp"
#include "common/radix_sort.hpp"
#include "dedup/elias.hpp"

namespace corpusprep::ngrams {

// A chunk of ids, and the order of its n-grams.
class SuffixSorter {
  struct Suffix {
    std::uint64_t key;
    std::uint64_t place;  // of its code, in bits; the low bits are the length of the n-gram's code
  };

 public:
  // Room for codes, in bits per id on average (an English corpus takes 17). A chunk with longer codes is full earlier.
  static constexpr std::size_t kBitsPerId = 24;
  // Memory per id of the capacity. It is only touched as far as it is used.
  static constexpr std::size_t kBytesPerId = kBitsPerId / 8 + sizeof(std::uint8_t) + sizeof(Suffix);

  // The same if there are several parts, in addition.
  static constexpr std::size_t kPartBytesPerId = sizeof(std::uint16_t);

  // Takes chunks of up to `capacity` ids (>= 4 n); 1 <= n <= kLongestNgram; 1 <= parts <= 2^15.
  SuffixSorter(std::size_t capacity, std::uint32_t n, std::uint32_t parts)
      : capacity_(capacity),
        n_(n),
        part_bits_(static_cast<unsigned>(std::bit_width(parts - 1))),
        codes_((capacity + kSlack) * kBitsPerId),
        lengths_(capacity),
        parts_(parts > 1 ? capacity : 0),
        suffixes_(capacity) {}

  bool full() const noexcept {
    return size_ == capacity_ || codes_.size() + kLongestCode > (capacity_ + kSlack) * kBitsPerId;
  }
  bool empty() const noexcept { return size_ == 0; }
  // Adds an id (< 2^32 - 1), unless full(). The n-gram that ends with it, if any, belongs to `part`.
  void append(std::uint32_t id, std::uint32_t part) noexcept {
    const DeltaCode code = delta_code(id);
    codes_.append(code);
    if (part_bits_ != 0) parts_[size_] = static_cast<std::uint16_t>(part);
    lengths_[size_++] = static_cast<std::uint8_t>(code.length);
    last_[segment_++ % last_.size()] = id;
  }
  // No n-gram crosses this place. If the chunk is full() there may be no room to note that: then nothing changes, and
  // the result is false.
  bool end_segment() noexcept {
    if (segment_ < n_) {
      codes_.cut(segment_start_);
      size_ -= segment_;
    } else {
      if (full()) return false;
      lengths_[size_++] = 0;
      segment_start_ = codes_.mark();
    }
    segment_ = 0;
    return true;
  }

  // Calls visit(code, count, part) for each distinct n-gram of the chunk, part by part, in ascending order. Then the
  // chunk is empty, except for the last n - 1 ids of an open segment, which may begin n-grams of the next chunk.
  template <class Visit>
  void sort(Visit visit) {
    scatter();
    Emitter<Visit> emitter{codes_, visit};
    std::size_t start = 0;
    for (const std::size_t end : buckets_) {
      if (end > start) order(start, end, 64 - part_bits_, 64 - bucket_bits_, 0, emitter);
      start = end;
    }
    emitter.finish();
    restart();
  }

 private:
  // Room for the ids at the beginning of a chunk, whatever their codes.
  static constexpr std::size_t kSlack = 2 * kLongestNgram;
  static constexpr std::size_t kAhead = 8;
  static constexpr unsigned kLengthBits = 12;
  static_assert(kLongestNgram * kLongestCode < (1U << kLengthBits));
  static std::uint64_t place_of(const Suffix& suffix) noexcept { return suffix.place >> kLengthBits; }
  static std::size_t length_of(const Suffix& suffix) noexcept { return suffix.place & ((1U << kLengthBits) - 1); }

  // Delays n-grams until their codes are in the cache: neighbours in the order are far apart in the chunk.
  template <class Visit>
  struct Emitter {
    struct Waiting {
      Suffix suffix;
      std::size_t count;
      std::uint32_t part;
    };
    const CodeString& codes;
    Visit& visit;
    std::array<Waiting, 32> waiting{};
    std::size_t seen = 0;
    NgramCode code{};

    void add(const Suffix& suffix, std::size_t count, std::uint32_t part) {
      Waiting& slot = waiting[seen % waiting.size()];
      if (seen >= waiting.size()) emit(slot);
      slot = {suffix, count, part};
      codes.prefetch(place_of(suffix), length_of(suffix));
      ++seen;
    }
    void finish() {
      for (std::size_t i = seen - std::min(seen, waiting.size()); i < seen; ++i) emit(waiting[i % waiting.size()]);
    }
    void emit(const Waiting& ngram) {
      codes.ngram(place_of(ngram.suffix), length_of(ngram.suffix), code);
      visit(code, ngram.count, ngram.part);
    }
  };

  // Calls visit(place, length, last) for the code of each n-gram; `last` is the place of its last id.
  template <class Visit>
  void each_ngram(Visit visit) const;
  // Fills suffixes_, and buckets_ with the ends of the buckets.
  void scatter();
  void restart() noexcept;

  // The part that the key of a suffix begins with, until it is replaced by later bits of the code.
  std::uint32_t part_of(const Suffix& suffix) const noexcept {
    return part_bits_ == 0 ? 0 : static_cast<std::uint32_t>(suffix.key >> (64 - part_bits_));
  }

  // Sorts [start, end) by their keys, which have the bits of the codes up to `known`; the bits before are equal.
  template <class Visit>
  void order(std::size_t start, std::size_t end, std::size_t known, unsigned bits, std::uint32_t part,
             Emitter<Visit>& emitter) {
    radix_sort(suffixes_.get() + start, end - start, bits);
    while (start < end) {
      std::size_t next = start + 1;
      while (next < end && suffixes_[next].key == suffixes_[start].key) ++next;
      if (known < 64 || part_bits_ == 0) part = part_of(suffixes_[start]);
      if (next - start == 1 || length_of(suffixes_[start]) <= known) {
        emitter.add(suffixes_[start], next - start, part);
      } else {
        for (std::size_t i = start; i < std::min(start + kAhead, next); ++i) prefetch(i, known);
        for (std::size_t i = start; i < next; ++i) {
          if (i + kAhead < next) prefetch(i + kAhead, known);
          // The codes are equal so far and one of them continues, so all of them continue.
          suffixes_[i].key = codes_.group(place_of(suffixes_[i]) + known, length_of(suffixes_[i]) - known);
        }
        order(start, next, known + 64, 64, part, emitter);
      }
      start = next;
    }
  }
  void prefetch(std::size_t i, std::size_t known) const noexcept { codes_.prefetch(place_of(suffixes_[i]) + known, 0); }

  std::size_t capacity_;
  std::uint32_t n_;
  unsigned part_bits_;  // 0 for a single part
  CodeString codes_;
  PageArray<std::uint8_t> lengths_;  // of the code of each id; 0 ends a segment
  PageArray<std::uint16_t> parts_;   // of the n-gram that ends with each id, if there are several parts
  std::size_t size_ = 0;             // of lengths_
  std::size_t segment_ = 0;          // ids of the open segment that the chunk holds
  CodeString::Mark segment_start_;
  std::array<std::uint32_t, kLongestNgram> last_{};  // the last of them
  PageArray<Suffix> suffixes_;
  unsigned bucket_bits_ = 0;
  std::vector<std::uint32_t> buckets_;
};

}  // namespace corpusprep::ngrams
