// Finds sequences of tokens in a vertical, for concordances, and gives tokens the numbers of their types, for counts.
//
// Whether a token passes a test is decided once per distinct token, by the caller. So a pattern may have any test, and
// the scan itself compares numbers. A piece of the vertical is scanned in three steps: number() gives each token the
// number of its type, the caller decides about the types that are new, and match() finds the sequences.
//
// A pattern is an automaton whose states are places, each with the test of the token that stands there (Glushkov 1961).
// From a token, all ways are followed at once, for at most kMostTokens tokens: time is linear in the text.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/word_table.hpp"

namespace corpusprep {

// A set of places of a pattern.
class PlaceSet {
 public:
  static constexpr std::size_t kMost = 256;
  using Words = std::array<std::uint64_t, kMost / 64>;

  PlaceSet() = default;
  explicit PlaceSet(const Words& words) : words_(words) {}
  void add(std::size_t place) noexcept { words_[place / 64] |= std::uint64_t{1} << (place % 64); }
  bool has(std::size_t place) const noexcept { return (words_[place / 64] >> (place % 64)) & 1; }
  bool empty() const noexcept { return (words_[0] | words_[1] | words_[2] | words_[3]) == 0; }
  bool meets(const PlaceSet& other) const noexcept {
    std::uint64_t common = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) common |= words_[i] & other.words_[i];
    return common != 0;
  }
  PlaceSet& operator|=(const PlaceSet& other) noexcept {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }
  bool operator==(const PlaceSet&) const = default;
  // Calls visit(place) for each place, in ascending order.
  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (auto word = words_[i]; word != 0; word &= word - 1) {
        visit(64 * i + static_cast<std::size_t>(std::countr_zero(word)));
      }
    }
  }

 private:
  Words words_{};
};

// The ways of a pattern that are open where the bounds of structures between two tokens have all bits of `bounds`.
struct SearchWays {
  std::uint32_t bounds = 0;
  PlaceSet first;              // where a sequence may begin
  std::vector<PlaceSet> next;  // of each place, what may stand behind it
  PlaceSet last;               // where a sequence may end
};

struct SearchPattern {
  std::vector<std::uint8_t> tests;  // of each place, the number of its test, below kMostTests
  std::vector<SearchWays> ways;
  // Structures whose bounds count. Structure k has three bits: k if it begins before a token, kMostStructures + k if it
  // ends there, 2 * kMostStructures + k if the token is inside it.
  std::vector<std::string> structures;
  std::uint32_t barriers = 0;  // bounds that no sequence crosses
  std::uint32_t inside = 0;    // bits that the first token must have
  bool longest = false;        // from each token, the longest sequence counts, not the shortest
};

// Where a sequence is: bytes of the piece, and tokens of it.
struct FoundSequence {
  std::int64_t document;     // its line <doc …>
  std::int64_t block;        // its line <p …>
  std::int64_t begin;        // the line of its first token
  std::int64_t end;          // the line feed of its last token
  std::int64_t first, stop;  // its first token, and the one behind its last
};

class TokenSearch {
 public:
  static constexpr std::size_t kMostTests = 32;
  static constexpr std::size_t kMostPlaces = PlaceSet::kMost - 1;
  static constexpr std::size_t kMostTokens = 255;  // of a sequence
  static constexpr std::size_t kMostStructures = 8;
  // Types are forgotten when they take this many bytes or more.
  static constexpr std::size_t kTypeBytes = 64 << 20;

  struct Block {
    std::uint32_t document, offset;
    std::size_t first_token;
  };

  // `first_bytes`, `last_bytes`: 1 for each byte that the first column of a token which passes any test may begin with,
  // or end with. Other tokens get no number.
  // `all_columns`: whether a type is a whole line, with its columns, or only the first column.
  // `untested`: one bit per test that every token passes, so that tokens without a number pass it, too.
  TokenSearch(SearchPattern pattern, const std::array<std::uint8_t, 256>& first_bytes,
              const std::array<std::uint8_t, 256>& last_bytes, std::uint32_t untested, bool all_columns);

  // Takes a piece of whole documents, of up to 4 GB. It must stay until match() returns.
  void number(std::string_view piece);
  // The types that are new since the last call, each as it stands in the vertical. Then decide() must be called.
  const std::vector<std::string>& fresh() const noexcept { return fresh_; }
  // Takes for each fresh type one bit per test: whether it passes.
  void decide(const std::uint32_t* bits, std::size_t count);
  // Appends the sequences in the piece, in order. None leaves its block.
  void match(std::vector<FoundSequence>& found);
  // Tokens of all pieces so far.
  std::uint64_t tokens() const noexcept { return tokens_; }

  // Of the last piece: its blocks, its tokens, the number of the type of each. The fresh types have the last numbers.
  const std::vector<Block>& blocks() const noexcept { return blocks_; }
  std::size_t size() const noexcept { return numbered_.size(); }
  std::uint32_t type(std::size_t token) const noexcept { return numbered_[token].type; }
  // Types that have a number, with type 0, which is of tokens that cannot pass any test.
  std::size_t types() const noexcept { return bits_.size(); }

 private:
  struct Token {
    std::uint32_t type;
    std::uint32_t offset;
  };
  // A short word that was found lately, in a slot that its key decides. Most tokens are of few types, and the slots
  // stay in the cache of the processor, which the table of all types does not.
  struct Recent {
    std::uint64_t packed;  // 0: none
    std::uint32_t type;
  };
  static constexpr unsigned kRecentBits = 11;
  Recent& recent(const TableWord& word) noexcept { return recent_[word.key >> (64 - kRecentBits)]; }
  // Gives the tokens that wait in the window their numbers.
  void number_waiting();
  // Adds the bounds that a line of a structure makes to those before the next token.
  void bound(std::string_view line) noexcept;
  // Returns the number of tokens of the sequence at a token that counts; 0 if there is none.
  std::size_t length_at(std::size_t token, std::size_t end) const;
  std::uint32_t bounds_before(std::size_t token) const noexcept { return bounds_.empty() ? 0 : bounds_[token]; }
  bool passes(std::size_t token, std::size_t place) const noexcept {
    return (bits_[numbered_[token].type] >> pattern_.tests[place]) & 1;
  }

  SearchPattern pattern_;
  std::array<std::uint8_t, 256> first_bytes_, last_bytes_;
  bool all_columns_, single_;
  std::uint32_t first_tests_ = 0;  // of the places where a sequence may begin
  WordTable<std::uint32_t> types_;
  std::vector<std::uint32_t> bits_;  // of each type
  std::vector<std::string> fresh_;
  std::string_view piece_;
  std::vector<Token> numbered_;
  std::vector<std::uint32_t> bounds_;  // before each token, and at the end; empty if no structure counts
  std::uint32_t waiting_bounds_ = 0, inside_ = 0;
  std::vector<Recent> recent_;
  WordWindow window_;
  std::vector<std::size_t> waiting_;  // the places in numbered_ of the words in the window
  std::vector<Block> blocks_;
  std::uint64_t tokens_ = 0;
};

}  // namespace corpusprep
