// A hash table from whole numbers to 32-bit numbers: trigrams, words and byte trigrams to rows of weights.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace corpusprep {

// Keys must not be 0. Open addressing, at most half full: most lookups read one slot, also of keys that are missing.
// Other tables of the kernels differ in what they hold, and stay apart: WordTable (whole words), WordSet (a small set,
// without numbers), RepeatedKeys (refilled for each partition), Deduplicator::LocalSet (emptied for each document).
template <class Key>
class KeyTable {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  KeyTable() { resize(kMinimum); }

  // A product whose highest bits are the best mixed.
  static std::uint64_t hash(Key key) noexcept { return key * 0x9E3779B97F4A7C15ULL; }

  // The number of the key, or kNone.
  std::uint32_t find(Key key) const noexcept {
    const Slot& slot = slots_[slot_of(key)];
    return slot.key == key ? slot.number : kNone;
  }
  // Gives the key this number unless it has one. Returns the number it has.
  std::uint32_t insert(Key key, std::uint32_t number) {
    if (key == 0) throw std::invalid_argument("the key 0 is not allowed");
    std::size_t slot = slot_of(key);
    if (slots_[slot].key == key) return slots_[slot].number;
    if (2 * ++size_ > slots_.size()) {
      resize(2 * slots_.size());
      slot = slot_of(key);
    }
    slots_[slot] = {key, number};
    return number;
  }
  std::size_t size() const noexcept { return size_; }
  // Makes room for that many keys, so that inserting them moves none.
  void reserve(std::size_t keys) {
    if (const std::size_t slots = std::bit_ceil(2 * keys + 1); slots > slots_.size()) resize(slots);
  }

 private:
  struct Slot {
    Key key = 0;  // 0 if the slot is free
    std::uint32_t number = kNone;
  };
  static constexpr std::size_t kMinimum = 16;

  std::size_t slot_of(Key key) const noexcept {
    std::size_t slot = hash(key) >> shift_;
    while (slots_[slot].key != key && slots_[slot].key != 0) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }
  void resize(std::size_t slots) {
    const auto before = std::exchange(slots_, std::vector<Slot>(slots));
    shift_ = static_cast<unsigned>(64 - std::countr_zero(slots));
    for (const Slot& slot : before) {
      if (slot.key != 0) slots_[slot_of(slot.key)] = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two
  unsigned shift_ = 0;       // 64 - log2 of their number
  std::size_t size_ = 0;
};

}  // namespace corpusprep
