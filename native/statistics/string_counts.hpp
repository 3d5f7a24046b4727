// Counts how often each string between spaces occurs in sets of texts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/page_array.hpp"
#include "common/word_table.hpp"

namespace corpusprep {

// A number of strings, and the sum of their bytes.
struct CountedStrings {
  std::size_t strings, bytes;
};

// A string of spaced() characters counts as the words inside it, between white space: in lower case, without the
// characters at both ends that are no letters, marks or numbers. A word does not count if it has no letter, or more
// than `longest` characters. Of runs of Han and Hiragana all pairs of characters count in place of words, or the only
// character. Any other string is odd: it counts unchanged, apart from the words; so does one of more than 4,096 bytes
// with white space, Han or Hiragana.
class StringCounts {
 public:
  // `longest` <= 65536, 1 <= `sets` <= 256. add() stops when the counts take `most_bytes`. They may then take twice as
  // much, because a growing table doubles.
  StringCounts(std::size_t most_bytes, std::size_t longest, std::size_t sets)
      : most_bytes_(most_bytes), longest_(longest), sets_(sets), lower_(kWaiting * longest * kMostBytes + 32) {}

  // Whether a string with the character may be no odd one: it is assigned in the tables of Unicode, its script has
  // spaces between words or counts in pairs, and its lower case is one character, whatever is beside it.
  static bool spaced(char32_t character) noexcept;

  // Counts the strings of `text` from `start` (<= its size) for a set. Returns where it stopped: at the end, or before
  // a space after some strings, and then clear() must follow. Strings may wait for their lookup until flush(); until
  // then the text must stay.
  std::size_t add(std::string_view text, std::size_t start, std::size_t set);
  void flush();
  // Whether the counts, without the strings that wait, have reached their limit: clear() must follow.
  bool full() const noexcept;
  // Counts a word (not empty, of at most 65536 bytes) that often in each of the sets. Nothing may wait. Throws
  // std::overflow_error if a count, or a sum of counts, is below 0 or above 2^32 - 1.
  void add_word(std::string_view word, const std::int64_t* counts);

  // Different words or odd strings so far.
  CountedStrings words() const noexcept { return {words_.size(), word_bytes_}; }
  CountedStrings odd() const noexcept { return {odd_.size(), odd_bytes_}; }
  // Sorts the words by their bytes, for read_words(), unless they are sorted. Until all are read, none may be added.
  void sort_words();
  std::size_t words_left() const noexcept { return sorted_.size() - read_; }
  // Appends the next words (at most words_left()) to `text`, one after another: word i is text[offsets[i]] up to
  // text[offsets[i + 1]]. `counts` has a row per set, with the number of words as its width. After the last word
  // everything is cleared.
  void read_words(std::size_t words, std::string& text, std::int64_t* offsets, std::int64_t* counts);
  // Writes the odd strings in this form, in any order.
  void write_odd(char* text, std::int64_t* offsets, std::int64_t* counts) const;
  // Writes the words as a run (word_runs.hpp), and clears everything.
  void write_run(const std::string& path);
  // Removes the odd strings, or everything.
  void clear_odd() noexcept;
  void clear();

 private:
  // The values are numbers of strings in the order of their first occurrence. So the counts of frequent ones are
  // together in the cache.
  using Table = WordTable<std::uint32_t>;

  std::uint32_t number_of(const TableWord& word, bool odd);
  // A string of a table: the fields of Table::Reference.
  struct Row {
    std::uint64_t key, place;
  };
  static std::vector<Row> rows_of(const Table& table);
  // Calls visit(word, its counts) for rows of words_, in order.
  template <class Visit>
  void each_word(const Row* first, const Row* last, Visit visit) const;

  Table words_, odd_;
  PageArray<std::uint32_t> counts_;  // of all strings of both tables, `sets_` numbers each; then zeros
  std::vector<Row> sorted_;          // the words in order, while they are read
  std::size_t most_bytes_, longest_, sets_, strings_ = 0, read_ = 0, word_bytes_ = 0, odd_bytes_ = 0;
  std::uint64_t scanned_ = 0;  // bytes since clear(): no count can be larger

  // Strings that wait for their lookup, so that their cache misses overlap.
  static constexpr std::size_t kWaiting = 64;
  struct Waiting {
    TableWord word;
    std::uint32_t number;  // of the string
    std::uint8_t set;
    bool odd;
  };
  void wait(const TableWord& word, std::size_t set, bool odd) noexcept;
  // Counts a short word: at once if it is in recent_, else it waits.
  void add_short(std::uint64_t packed, std::size_t set) noexcept;
  enum class Added { odd, one, several };
  // Counts the words in a string that is not ASCII, which is in `text`. Returns whether it is odd, or was divided into
  // several words: then strings that waited may have been looked up.
  Added add_spaced(std::string_view string, std::size_t set);
  // Counts the pairs of characters in a run of them that begins at `place`, or its only character; returns its end.
  std::size_t add_pairs(std::string_view string, std::size_t place, std::size_t set);

  // Short words that were looked up last, by their key: half of all words are among them, and need no look-up.
  struct Recent {
    std::uint64_t packed = 0;
    std::uint32_t number = 0;
  };
  static constexpr unsigned kRecentBits = 12;
  std::array<Recent, std::size_t{1} << kRecentBits> recent_{};

  std::array<Waiting, kWaiting> waiting_;
  std::size_t waiting_strings_ = 0;
  static constexpr std::size_t kMostBytes = 3;  // of a spaced() character in lower case
  std::vector<char> lower_;                     // long words in lower case that wait
  std::size_t used_ = 0;
};

}  // namespace corpusprep
