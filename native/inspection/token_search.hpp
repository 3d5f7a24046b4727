// Finds sequences of tokens in a vertical, for concordances.
//
// Whether a token passes the tests of an element is decided once per distinct token, by the caller. So a pattern may
// have any test, and the scan itself compares numbers. A piece of the vertical is scanned in three steps: number()
// gives each token the number of its type, the caller decides about the types that are new, and match() finds the
// sequences.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/word_table.hpp"

namespace corpusprep {

// An element of a pattern: from `least` to `most` successive tokens that pass its tests. `least` may be 0, but not in
// the first element; `most` is 1 or more.
struct SearchElement {
  std::uint32_t least = 1;
  std::uint32_t most = 1;
};

// Where a sequence is, in bytes of the piece.
struct FoundSequence {
  std::int64_t document;  // its line <doc …>
  std::int64_t block;     // its line <p …>
  std::int64_t begin;     // the line of its first token
  std::int64_t end;       // the line feed of its last token
};

class TokenSearch {
 public:
  static constexpr std::size_t kMostElements = 32;
  static constexpr std::size_t kMostTokens = 255;  // the sum of `most`
  // Types are forgotten when they take this many bytes or more.
  static constexpr std::size_t kTypeBytes = 64 << 20;

  // `first_bytes`, `last_bytes`: 1 for each byte that the first column of a token which passes any test may begin with,
  // or end with. Other tokens get no number.
  // `all_columns`: whether a type is a whole line, with its columns, or only the first column.
  // `untested`: one bit per element: whether it has no test, so that tokens without a number pass it, too.
  TokenSearch(std::vector<SearchElement> elements, const std::array<std::uint8_t, 256>& first_bytes,
              const std::array<std::uint8_t, 256>& last_bytes, std::uint32_t untested, bool all_columns);

  // Takes a piece of whole documents, of up to 4 GB. It must stay until match() returns.
  void number(std::string_view piece);
  // The types that are new since the last call, each as it stands in the vertical. Then decide() must be called.
  const std::vector<std::string>& fresh() const noexcept { return fresh_; }
  // Takes for each fresh type one bit per element: whether it passes.
  void decide(const std::uint32_t* bits, std::size_t count);
  // Appends the sequences in the piece, in order. From each token, the shortest sequence counts. None leaves its block.
  void match(std::vector<FoundSequence>& found);
  // Tokens of all pieces so far.
  std::uint64_t tokens() const noexcept { return tokens_; }

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
  struct Block {
    std::uint32_t document, offset;
    std::size_t first_token;
  };
  // Gives the tokens that wait in the window their numbers.
  void number_waiting();
  // Returns the number of tokens of the shortest sequence at a token; 0 if there is none.
  std::size_t length_at(std::size_t token, std::size_t end) const;
  bool passes(std::size_t token, std::size_t element) const noexcept {
    return (bits_[numbered_[token].type] >> element) & 1;
  }

  std::vector<SearchElement> elements_;
  std::array<std::uint8_t, 256> first_bytes_, last_bytes_;
  bool all_columns_, single_;
  WordTable<std::uint32_t> types_;
  std::vector<std::uint32_t> bits_;  // of each type; type 0 is of tokens that cannot pass any test
  std::vector<std::string> fresh_;
  std::string_view piece_;
  std::vector<Token> numbered_;
  std::vector<Recent> recent_;
  WordWindow window_;
  std::vector<std::size_t> waiting_;  // the places in numbered_ of the words in the window
  std::vector<Block> blocks_;
  std::uint64_t tokens_ = 0;
};

}  // namespace corpusprep
