// The tokeniser: one pass over UTF-8 text. Time is linear in the length of the text; there is no recursion.
//
// White space separates tokens, and so does a zero-width space between two characters of Thai, Lao, Myanmar or Khmer:
// it is in no token, and the next one is glued. At the start of each token, the rules below are tried in order; the
// first that matches gives the token:
//   1. URL: http://, https://, ftp:// or www. (in either case), then a letter or digit. It ends at white space, at a
//      format character, at a letter of a script without spaces, or at one of < > " { } | \ ^ `. Trailing
//      .,;:!?'*([ do not belong to it, nor does a trailing ) or ] that closes nothing in it.
//   2. Prefix clitic (l', dell', s-; defined by the language) that is followed by a word character, or by white space
//   if
//      it ends in an apostrophe.
//   3. E-mail address, in ASCII: [A-Za-z0-9] [A-Za-z0-9._%+-]* @ and a host name with a dot. The last part of the host
//      name starts with a letter.
//   4. Abbreviation (defined by the language, with its full stop) that is followed neither by a letter nor by a full
//      stop; of some, a number must follow (No. 5). Or an acronym: two or more single letters joined by full stops. The
//      full stop after the last letter belongs to it unless another one follows (U.S., e.g.). The longer of the two is
//      the token. Or an initial: one letter that is no small letter, with a full stop, before white space and a letter
//      (J. Smith). In languages with ordinal numbers, also up to four ASCII digits or a Roman number of I, V and X
//      before white space and a small letter (5. května, v roce 1990. godine), and up to two digits before a number
//      (28. 10.) or, if the language says so, before any letter (am 5. Mai).
//   5. Host or file name, in ASCII: parts of letters, digits, - and _, joined by full stops (Amazon.com, index.html).
//      There is a letter before the last full stop. Behind it are two or more small letters or digits, the first of
//      them a letter, and then no word character. With a / behind it, it goes on as a URL does.
//   6. Word: word characters (letters and numbers), adjacent, or joined by format characters (soft hyphen, zero-width
//      space, …), or joined by one of - ' _ · U+2010 U+2011 U+2019 U+2027 U+05F4; letters also by one of ` ´ ‘.
//      Apostrophes join no Hangul. Two numbers are also joined by one of . , : / (1,234.56, 10:30, 24/7). The joints of
//      a language join before a small letter (EU:n, Bürger*innen). One of " “ ” joins two Hebrew letters if one letter
//      follows (gershayim), or if one of the first four letters of the word is not of a prefix word. If - is a joint,
//      it belongs to the word before it if white space follows (Vor- und Nachteile). If a language has hyphens apart,
//      -, U+2010 and U+2011 join two numbers alone. Suffix clitics (n't, 's; defined by the language) are cut off the
//      end, one after another; each is a token.
//   7. Not behind a word: # and letters, numbers and _, with a letter (a hashtag); @ and the same in ASCII (a name); an
//      apostrophe and two digits, perhaps with s (the '60s). Also a suffix clitic glued to anything but an opening mark
//      (U.S.'s).
//   8. Character reference: &amp; &#8364; &#x20AC; (by its form alone; the name is not looked up).
//   9. Emoticon: eyes : ; or =, perhaps a nose - ' or ^, and a mouth, which may be repeated: one of ) ( ] [ D P p / |.
//      It stands behind white space, or behind an ASCII character that is neither letter nor digit, and not before a
//      letter, a number or one more of these mouths.
//  10. Sequence of one repeated character of . ! ? - _ * = ~ # + , ' ` (an ellipsis, a rule, quotation marks).
//  11. Sequence of format characters. Emoji: a sequence joined by U+200D, or a pair of regional indicators (a flag).
//  12. Any other single character: punctuation, a letter of a script without spaces (Han, kana, Bopomofo, Thai, Lao,
//      Khmer, Myanmar), a byte that is not UTF-8.
// A listed word (po', C++, ό,τι) is the token if the rules give no longer one, no word character or extender follows,
// and, if it begins with a mark, it is not behind a word.
// If a language has full stops apart, the one that ends a token of rule 4 is a token of its own, and so are those
// before it that stand behind a letter that is no small one (r . and J . R . of r. and J.R.). Sentences are found
// before that. Marks, U+200C, U+200D, emoji modifiers, tags, geresh (U+05F3) and Armenian marks of stress (U+055B,
// U+055C, U+055E) are "extenders": they belong to the token before them.
//
// Consequences: No token is empty or contains white space. Without listed words, a token starts with '<' only if '<'
// (with its marks) is the whole token. The tokens, with one space wherever `glued` is false, give the text back, except
// that each sequence of white space becomes one space, and that zero-width spaces between words are left out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "text/sentences.hpp"

namespace corpusprep {

struct TokenSpan {
  std::size_t begin;  // bytes of the text, [begin, end)
  std::size_t end;
  bool glued;  // no white space between this token and the one before it in the text
};

// Where a full stop belongs to an ordinal number: nowhere, before small letters and numbers, also before capitals.
enum class Ordinals : std::uint8_t { none, small, any };

// The rules of a language. Matched byte for byte: give each form (first capital, both apostrophes). All UTF-8.
struct TokenizerRules {
  std::vector<std::string> abbreviations;    // start with a letter or digit, end with '.', contain no white space
  std::vector<std::string> numbered;         // the same, before numbers alone
  std::vector<std::string> clitic_prefixes;  // start with a letter, end with a hyphen or apostrophe
  std::vector<std::string> clitic_suffixes;  // hold a hyphen or apostrophe; do not start with an extender
  std::vector<std::string> words;            // contain no white space
  std::vector<std::string> joints;           // an ASCII mark that is no digit, and the letters that must follow it
  Ordinals ordinals = Ordinals::none;
  bool hyphens_apart = false;  // a hyphen between the parts of a compound is a token
  bool stops_apart = false;    // the full stop of an abbreviation is a token
};

// Immutable: one tokeniser may serve any number of threads.
class Tokenizer {
 public:
  // Throws std::invalid_argument if a rule is empty or longer than kLongestRule bytes.
  explicit Tokenizer(TokenizerRules rules);
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;

  static constexpr std::size_t kLongestRule = 64;

  // Appends the tokens of `text` to `spans`, in order.
  void tokenize(std::string_view text, std::vector<TokenSpan>& spans) const;

  // Appends the tokens of `text` to `lines`, one per line and escaped (vertical.hpp), with a line `<g/>` before each
  // glued token. Returns the number of tokens.
  std::size_t append_vertical(std::string_view text, std::string& lines) const;

  // The same with a line `<s>` before and `</s>` after each sentence.
  std::size_t append_sentences(std::string_view text, const SentenceRules& rules, std::string& lines) const;

 private:
  friend class Scanner;

  // Passes a token to `sink`, or its parts, if its full stops are apart.
  template <class Sink>
  void divide(std::string_view text, TokenSpan token, Sink&& sink) const;

  std::unordered_map<std::string_view, bool> abbreviations_;  // views of rules_; true: before numbers alone
  std::size_t longest_abbreviation_ = 0;
  std::array<std::uint64_t, 256> abbreviation_sizes_{};      // by first byte, one bit per size
  std::unordered_set<std::string_view> words_;               // views of rules_
  std::array<std::uint64_t, 256> word_sizes_{};              // by first byte, one bit per size
  std::array<bool, 256> plain_mark_{};                       // by byte: whether only rules 9, 10 and 12 can apply
  std::array<bool, 256> starts_joint_{};                     // by byte
  std::array<std::vector<std::string_view>, 256> prefixes_;  // by first byte, views of rules_, longest first
  std::array<std::vector<std::string_view>, 256> suffixes_;  // by last byte
  std::array<bool, 256> starts_prefix_{};                    // by first byte
  // by byte: the kinds of characters (letter, digit) after which it always ends an ASCII word
  std::array<std::uint8_t, 256> ends_word_{};
  TokenizerRules rules_;  // clitics longest first
};

}  // namespace corpusprep
