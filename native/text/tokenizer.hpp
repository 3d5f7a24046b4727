// The tokeniser: one pass over UTF-8 text. Time is linear in the text, whatever it holds; there is no recursion.
//
// White space separates tokens. In the text between, at every token's start, the first of these that matches is the token:
//   1. URL: http://, https://, ftp:// or www. (in either case), then a letter or digit; it runs to white space, a format
//      character, a letter of a script without spaces, or one of < > " { } | \ ^ `; trailing .,;:!?'*([ are not part of it, nor
//      is a trailing ) or ] that closes nothing in it.
//   2. prefix clitic (l', dell'; given by the language) that a word character follows.
//   3. e-mail address, in ASCII: [A-Za-z0-9] [A-Za-z0-9._%+-]* @ and a host name with a dot whose last part starts with a letter.
//   4. abbreviation (given by the language, with its full stop) that neither a letter nor a full stop follows; or an acronym:
//      two or more single letters joined by full stops, and the full stop behind them unless another follows (U.S., e.g.).
//      The longer one counts.
//   5. word: word characters (letters and numbers), joined by nothing, by format characters (soft hyphen, zero-width space, …), or
//      by one of - ' _ · U+2010 U+2011 U+2019 U+2027 U+05F3 U+05F4; between two numbers also by one of . , :  (1,234.56, 10:30).
//      Suffix clitics (n't, 's; given by the language) are cut off its end, one after another, each a token.
//   6. character reference: &amp; &#8364; &#x20AC; (nothing is looked up: the form decides).
//   7. run of one and the same of . ! ? - _ * = ~ # + (an ellipsis, a rule).
//   8. run of format characters; emoji: a sequence joined by U+200D, or a pair of regional indicators (a flag).
//   9. any other character: punctuation, a letter of a script written without spaces (Han, kana, Bopomofo, Thai, Lao, Khmer, Myanmar),
//      a byte that is not UTF-8.
// Marks, U+200C, U+200D, emoji modifiers and tags ("extenders") stay with what they follow: every token takes those behind it.
//
// So tokens are never empty, never hold white space, and start with '<' only where '<' (and its marks) is the whole token: none looks
// like a structure line (vertical.hpp). The tokens, with one space wherever `glued` is false, give the text back with each run
// of white space as one space.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace corpusprep {

struct TokenSpan {
  std::size_t begin;  // bytes of the text, [begin, end)
  std::size_t end;
  bool glued;  // no white space between this token and the one before it in the text
};

// What a language adds. Matched byte for byte: give every form (first capital, both apostrophes). All UTF-8.
struct TokenizerRules {
  std::vector<std::string> abbreviations;    // start with a letter or digit, end with '.', hold no white space
  std::vector<std::string> clitic_prefixes;  // start with a letter, end with a hyphen or apostrophe
  std::vector<std::string> clitic_suffixes;  // hold a hyphen or apostrophe; do not start with an extender
};

// Immutable once made: one tokeniser may serve any number of threads.
class Tokenizer {
 public:
  // Throws std::invalid_argument if a rule is empty or longer than kLongestRule bytes.
  explicit Tokenizer(TokenizerRules rules);
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;

  static constexpr std::size_t kLongestRule = 64;

  // Appends the tokens of `text` to `spans`, in order.
  void tokenize(std::string_view text, std::vector<TokenSpan>& spans) const;

  // Appends the tokens of `text` to `lines`, one a line, with a line `<g/>` before each that is glued. Returns their number.
  std::size_t append_vertical(std::string_view text, std::string& lines) const;

 private:
  friend class Scanner;

  std::unordered_set<std::string_view> abbreviations_;  // views of rules_
  std::size_t longest_abbreviation_ = 0;
  std::array<std::uint64_t, 256> abbreviation_sizes_{};  // by first byte, a bit a size below 64
  std::array<bool, 256> starts_prefix_{};                // by first byte
  std::array<std::uint8_t, 256> ends_word_{};  // by byte: after which (letter, digit) it surely ends an ASCII word
  TokenizerRules rules_;                   // clitics longest first
};

}  // namespace corpusprep
