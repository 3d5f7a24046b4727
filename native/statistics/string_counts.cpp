#include "statistics/string_counts.hpp"

#include <array>
#include <cstring>

namespace corpusprep {

namespace {

enum Kind : unsigned char { kLetter = 1, kDigit = 2, kOther = 4, kOdd = 8 };  // kOdd: not ASCII, or white space

constexpr auto kKinds = [] {
  std::array<unsigned char, 256> kinds{};
  for (unsigned c = 0; c < kinds.size(); ++c) {
    const unsigned lower = c | 0x20;
    const bool white = c >= '\t' && c <= '\r';
    kinds[c] = c >= 0x80 || white             ? kOdd
               : lower >= 'a' && lower <= 'z' ? kLetter
               : c >= '0' && c <= '9'         ? kDigit
                                              : kOther;
  }
  return kinds;
}();

unsigned kind(char c) noexcept { return kKinds[static_cast<unsigned char>(c)]; }

}  // namespace

std::size_t StringCounts::add(std::string_view text, std::size_t start, unsigned set) {
  WordWindow window;
  const std::string_view words(words_.data(), words_.size());
  std::size_t used = 0;
  const auto drain = [&] {
    used = 0;
    window.drain(table_, [&](const TableWord& word) {
      if (char* entry = table_.find(word)) {
        Counts counts = table_.get(entry);
        ++counts.of[set];
        table_.set(entry, counts);
      } else {
        Counts counts{};
        counts.of[set] = 1;
        table_.insert(word, counts);
        string_bytes_ += word.bytes.size();
      }
    });
  };
  const char* const end = text.data() + text.size();
  for (const char* next = text.data() + start; next != end;) {
    const char* begin = next;
    unsigned kinds = 0;
    for (; next != end && *next != ' '; ++next) kinds |= kind(*next);
    const char* const after = next;
    if (next != end) ++next;

    bool full;
    if (kinds & kOdd) {
      window.begin(text);
      full = window.push({begin, static_cast<std::size_t>(after - begin)}, table_);
    } else {
      if (!(kinds & kLetter)) continue;
      const char* last = after - 1;
      while (kind(*begin) == kOther) ++begin;
      while (kind(*last) == kOther) --last;
      const auto size = static_cast<std::size_t>(last + 1 - begin);
      if (size > longest_) continue;
      char* word = words_.data() + used;
      for (std::size_t i = 0; i < size; ++i) word[i] = static_cast<char>(begin[i] | (kind(begin[i]) == kLetter) << 5);
      used += size;
      window.begin(words);
      full = window.push({word, size}, table_);
    }
    if (full) {
      drain();
      if (table_.slot_bytes() + table_.arena_bytes() >= most_bytes_)
        return static_cast<std::size_t>(after - text.data());
    }
  }
  drain();
  return text.size();
}

void StringCounts::write(char* text, std::int64_t* offsets, std::int64_t* first, std::int64_t* second) const noexcept {
  std::int64_t offset = 0;
  std::size_t i = 0;
  table_.entries([&](const auto& reference) {
    std::array<char, 8> buffer;
    const std::string_view string = table_.word(reference, buffer);
    const Counts found = table_.value(reference);
    std::memcpy(text + offset, string.data(), string.size());
    offsets[i] = offset;
    offset += static_cast<std::int64_t>(string.size());
    first[i] = static_cast<std::int64_t>(found.of[0]);
    second[i] = static_cast<std::int64_t>(found.of[1]);
    ++i;
  });
  offsets[i] = offset;
}

void StringCounts::clear() {
  table_.clear();
  string_bytes_ = 0;
}

}  // namespace corpusprep
