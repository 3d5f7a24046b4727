// A hash table from words to small values. It takes about 25 bytes per word, plus the bytes of longer words.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>
#include <type_traits>

#include "common/hash.hpp"
#include "common/page_array.hpp"
#include "common/prefetch.hpp"

namespace corpusprep {

namespace detail {

// An odd number that is another one in each process, so that no page can choose words that meet in a table: the highest
// bits of its product with a key are hardly ever equal (Dietzfelbinger and others 1997, multiply-shift). It says where
// words are in memory, and never what is written.
inline std::uint64_t drawn_factor() noexcept {
  std::uint64_t number = 0;
  if (getentropy(&number, sizeof number) != 0) number = 0x9E3779B97F4A7C15ULL;  // a machine without random numbers
  return number | 1;
}
inline const std::uint64_t kTableFactor = drawn_factor();

}  // namespace detail

// A word to look up. A short word, of 1 to 7 bytes, is packed into a number: its bytes, with its length above them.
struct TableWord {
  static constexpr std::size_t kShort = 7;
  std::string_view bytes;
  std::uint64_t packed;  // 0 for a longer word
  std::uint64_t key;     // word_key

  // `word` is not empty. `readable` is how many bytes may be read from its start, at least its length.
  static TableWord of(std::string_view word, std::size_t readable) noexcept {
    if (word.size() > kShort) return {word, 0, word_key(word)};
    const std::uint64_t number = readable < 8 ? detail::load_few(word.data(), word.size())
                                              : detail::load_little_endian<std::uint64_t>(word.data()) &
                                                    ((std::uint64_t{1} << (8 * word.size())) - 1);
    const std::uint64_t packed = number | static_cast<std::uint64_t>(word.size()) << 56;
    return {word, packed, short_key(packed)};
  }
  // Returns word_key of a packed word.
  static std::uint64_t short_key(std::uint64_t packed) noexcept {
    static constexpr auto kStart = [] {
      std::array<std::uint64_t, kShort + 1> start{};
      for (std::size_t size = 0; size <= kShort; ++size) start[size] = mix64(kWordKeySeed + size);
      return start;
    }();
    return mix64(kStart[packed >> 56] ^ (packed & ((std::uint64_t{1} << 56) - 1)));
  }
};

// Nine in ten tokens are short words. They are stored in the slots of one table, so a lookup costs one cache miss.
// Longer words are stored one after another in an arena, each as its value, its length and its bytes; their table has
// slots of 40 bits of offset and 24 bits of the key. The high bits of a key, multiplied, give its position, the low
// bits of the key its tag. This table stays apart from KeyTable because it must hold the words themselves: 100 million
// words are compared byte for byte, and take half the memory of a table with one slot layout for all words.
template <class Value>
class WordTable {
  static_assert(std::is_trivially_copyable_v<Value>);

 public:
  WordTable() : short_(kMinimum), long_(kMinimum) {}

  std::size_t size() const noexcept { return short_words_ + long_words_; }
  std::size_t arena_bytes() const noexcept { return used_; }
  std::size_t slot_bytes() const noexcept {
    return short_.size() * sizeof(Slot) + long_.size() * sizeof(std::uint64_t);
  }

  // Brings what find() reads into the cache: prefetch_slot() first, prefetch_long() some time later.
  void prefetch_slot(const TableWord& word) const noexcept {
    if (word.packed != 0) {
      prefetch_line(short_.get() + place(word.key, short_.size()));
    } else {
      prefetch_line(long_.get() + place(word.key, long_.size()));
    }
  }
  void prefetch_long(const TableWord& word) const noexcept {
    if (word.packed != 0) return;
    for (std::size_t i = place(word.key, long_.size()); long_[i] != 0;) {
      if (((long_[i] ^ word.key) & kTag) == 0) {
        prefetch_line(arena_.get() + (long_[i] >> kTagBits) - 1);
        return;
      }
      if (++i == long_.size()) i = 0;
    }
  }

  // Returns where the value of a word is, for get() and set(); null if the word is missing.
  char* find(const TableWord& word) const noexcept {
    if (word.packed != 0) {
      for (std::size_t i = place(word.key, short_.size()); short_[i].packed != 0;) {
        if (short_[i].packed == word.packed) return reinterpret_cast<char*>(&short_[i].value);
        if (++i == short_.size()) i = 0;
      }
      return nullptr;
    }
    for (std::size_t i = place(word.key, long_.size()); long_[i] != 0;) {
      if (((long_[i] ^ word.key) & kTag) == 0) {
        char* entry = arena_.get() + (long_[i] >> kTagBits) - 1;
        const std::string_view bytes = word_at(entry);
        if (bytes.size() == word.bytes.size() && std::memcmp(bytes.data(), word.bytes.data(), bytes.size()) == 0) {
          return entry;
        }
      }
      if (++i == long_.size()) i = 0;
    }
    return nullptr;
  }
  static Value get(const char* entry) noexcept {
    Value value;
    std::memcpy(&value, entry, sizeof value);
    return value;
  }
  static void set(char* entry, Value value) noexcept { std::memcpy(entry, &value, sizeof value); }

  // Adds a word that is missing.
  void insert(const TableWord& word, Value value) {
    if (word.packed != 0) {
      if (crowded(short_words_ + 1, short_.size())) grow_short();
      put({word.packed, value}, word.key);
      ++short_words_;
      return;
    }
    if (crowded(long_words_ + 1, long_.size())) grow_long();
    const std::size_t needed = used_ + sizeof value + 10 + word.bytes.size();
    if (needed > arena_.size()) arena_.resize(needed < (1 << 16) ? (1 << 16) : needed + needed / 4);
    if (used_ >> (64 - kTagBits) != 0) throw std::bad_alloc();
    char* entry = arena_.get() + used_;
    set(entry, value);
    char* out = entry + sizeof value;
    for (std::size_t length = word.bytes.size();; length >>= 7) {
      *out++ = static_cast<char>(length >= 0x80 ? length | 0x80 : length);
      if (length < 0x80) break;
    }
    std::memcpy(out, word.bytes.data(), word.bytes.size());
    put(used_, word.key);
    used_ = static_cast<std::size_t>(out - arena_.get()) + word.bytes.size();
    ++long_words_;
  }

  void clear() {
    arena_.release();
    used_ = short_words_ = long_words_ = 0;
    short_.release();
    short_.resize(kMinimum);
    long_.release();
    long_.resize(kMinimum);
  }

  // A word of the table, from entries(). Valid until the next insert().
  struct Reference {
    // The first eight bytes, the first one highest. Words with different prefixes compare like their prefixes.
    std::uint64_t prefix;
    std::uint64_t place;  // of a slot, or, after all slots, of an entry of the arena
  };
  template <class Visit>
  void entries(Visit visit) const {
    for (std::size_t i = 0; i < short_.size(); ++i) {
      if (short_[i].packed != 0) visit(Reference{big_endian(short_[i].packed << 8 >> 8), i});
    }
    each_long([&](std::size_t offset, std::string_view word) {
      visit(Reference{big_endian(detail::load_little_endian<std::uint64_t>(word.data())), short_.size() + offset});
    });
  }
  void prefetch(const Reference& reference) const noexcept {
    if (reference.place >= short_.size()) {
      prefetch_line(arena_.get() + (reference.place - short_.size()));
    } else {
      prefetch_line(short_.get() + reference.place);
    }
  }
  // Returns the word, which may be built in `buffer`.
  std::string_view word(const Reference& reference, std::array<char, 8>& buffer) const noexcept {
    if (reference.place >= short_.size()) return word_at(arena_.get() + (reference.place - short_.size()));
    const std::uint64_t packed = short_[reference.place].packed;
    for (std::size_t i = 0; i < TableWord::kShort; ++i) buffer[i] = static_cast<char>(packed >> (8 * i));
    return {buffer.data(), static_cast<std::size_t>(packed >> 56)};
  }
  Value value(const Reference& reference) const noexcept {
    return reference.place >= short_.size() ? get(arena_.get() + (reference.place - short_.size()))
                                            : short_[reference.place].value;
  }

 private:
  struct Slot {
    std::uint64_t packed;  // 0 if the slot is free
    Value value;
  };
  // The highest load in percent. With linear probing, a hit then reads 2 slots and a miss 6 on average.
  static constexpr std::size_t kFullest = 70;
  static constexpr std::size_t kMinimum = 1 << 9;
  static constexpr unsigned kTagBits = 24;
  static constexpr std::uint64_t kTag = (std::uint64_t{1} << kTagBits) - 1;

  static bool crowded(std::size_t words, std::size_t slots) noexcept { return words * 100 > slots * kFullest; }
  static std::size_t place(std::uint64_t key, std::size_t slots) noexcept {
    return static_cast<std::size_t>((static_cast<unsigned __int128>(key * detail::kTableFactor) * slots) >> 64);
  }
  static std::uint64_t big_endian(std::uint64_t little) noexcept { return __builtin_bswap64(little); }
  static std::string_view word_at(const char* entry) noexcept {
    auto bytes = reinterpret_cast<const unsigned char*>(entry) + sizeof(Value);
    std::size_t length = *bytes++;
    if (length >= 0x80) {
      length &= 0x7F;
      for (unsigned shift = 7;; shift += 7) {
        const std::size_t more = *bytes++;
        length |= (more & 0x7F) << shift;
        if (more < 0x80) break;
      }
    }
    return {reinterpret_cast<const char*>(bytes), length};
  }
  template <class Visit>
  void each_long(Visit visit) const {
    for (std::size_t offset = 0; offset < used_;) {
      const std::string_view word = word_at(arena_.get() + offset);
      visit(offset, word);
      offset = static_cast<std::size_t>(word.data() + word.size() - arena_.get());
    }
  }
  void put(const Slot& slot, std::uint64_t key) noexcept {
    std::size_t i = place(key, short_.size());
    while (short_[i].packed != 0) {
      if (++i == short_.size()) i = 0;
    }
    short_[i] = slot;
  }
  void put(std::size_t offset, std::uint64_t key) noexcept {
    std::size_t i = place(key, long_.size());
    while (long_[i] != 0) {
      if (++i == long_.size()) i = 0;
    }
    long_[i] = ((static_cast<std::uint64_t>(offset) + 1) << kTagBits) | (key & kTag);
  }
  void grow_short() {
    PageArray<Slot> old(2 * short_.size());
    old.swap(short_);
    for (std::size_t i = 0; i < old.size(); ++i) {
      if (old[i].packed != 0) put(old[i], TableWord::short_key(old[i].packed));
    }
  }
  void grow_long() {
    const std::size_t slots = std::max(kMinimum, 2 * long_.size());
    long_.release();  // first, so that old and new slots never take memory at the same time
    long_.resize(slots);
    each_long([&](std::size_t offset, std::string_view word) { put(offset, word_key(word)); });
  }

  PageArray<Slot> short_;
  PageArray<std::uint64_t> long_;
  PageArray<char> arena_;
  std::size_t used_ = 0, short_words_ = 0, long_words_ = 0;
};

// Returns how many bytes there are from the start of a word to the end of `chunk`; 0 if the word is not inside it.
inline std::size_t bytes_ahead(std::string_view chunk, std::string_view word) noexcept {
  const auto start = reinterpret_cast<std::uintptr_t>(chunk.data());
  const auto place = reinterpret_cast<std::uintptr_t>(word.data());
  return place >= start && place - start < chunk.size() ? chunk.size() - (place - start) : 0;
}

// Words that wait for their lookup, so that their cache misses overlap.
class WordWindow {
 public:
  // The largest number of words that wait.
  static constexpr std::size_t kWords = 64;

  // Words inside `chunk` may wait until drain(), which must be called before the chunk goes away.
  void begin(std::string_view chunk) noexcept { chunk_ = chunk; }

  // Takes a word that is not empty. Returns true if drain() must be called now.
  template <class Value>
  bool push(std::string_view bytes, const WordTable<Value>& table) noexcept {
    const std::size_t ahead = bytes_ahead(chunk_, bytes);
    TableWord& word = words_[size_++];
    word = TableWord::of(bytes, std::max(ahead, bytes.size()));
    table.prefetch_slot(word);
    return size_ == words_.size() || ahead == 0;
  }
  // Calls look_up(word) for all waiting words, in order.
  template <class Value, class LookUp>
  void drain(const WordTable<Value>& table, LookUp look_up) {
    for (std::size_t i = 0; i < size_; ++i) table.prefetch_long(words_[i]);
    for (std::size_t i = 0; i < size_; ++i) look_up(words_[i]);
    size_ = 0;
  }

 private:
  std::string_view chunk_;
  std::array<TableWord, kWords> words_;
  std::size_t size_ = 0;
};

}  // namespace corpusprep
