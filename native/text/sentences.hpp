// Finds where sentences start, by the tokens of a text. Time is linear in their number.
//
// A token can end a sentence if it is
//   * a full stop, exclamation or question mark, ellipsis, or its like in another script, or a run of one of these;
//     a semicolon behind a Greek letter is a question mark, and a colon behind an Armenian one a full stop;
//   * an emoticon (tokenizer.hpp, rule 9);
//   * longer and ends with a full stop: an abbreviation, an initial, an ordinal number.
// Closing marks (quotation marks, brackets) belong to the sentence before them if they are glued to it; also behind
// white space, if white space or nothing follows and the mark is ” » ) or '', or a " with an odd number of " before it
// in the sentence. The next token must not be glued to what is before it, but behind a mark of scripts without spaces.
//
// What decides is the first token of the rest that is no opening mark (quotation mark, bracket, dash, bullet):
//   * Behind . ! ? … and the like: a sentence ends there, unless this token starts with a small letter. If neither
//     closing nor opening marks stand between, it does end before a small letter: behind a full stop that is not glued
//     to a single small letter (př. n. l.) or to Armenian (where it is a half stop), and behind ! and ? if the sentence
//     itself starts with a small letter, for otherwise reporting words may follow ("Janne! sagde Lis" without quotation
//     marks).
//   * Behind an emoticon: unless the token starts with a small letter.
//   * Behind an abbreviation: if the token is one of the capitalised words that start sentences, and the abbreviation
//     has more than one character before its full stop, or stands behind another one in small letters (a. C.).
//   * Behind a full stop that is glued to a number of up to four digits, or to a Roman one of I, V and X, in languages
//     that write ordinal numbers so: not before a small letter. Not before a digit, if the number has up to two digits
//     or is Roman, or the digits are one or two with a full stop (28. 10. 1918). Behind a Roman number, before other
//     words only if they are among those that start sentences (Karel IV. Lucemburský).
// A number of up to three digits or a single character with a full stop, at the start of a sentence, does not end it,
// and neither does an abbreviation there: it is the number of a section or an item of a list.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace corpusprep {

struct SentenceToken {
  std::string_view text;  // UTF-8, not empty
  bool glued;             // no white space between it and the token before it
};

// Immutable: several threads may use one.
class SentenceRules {
 public:
  // `starters`: capitalised words that often start a sentence, UTF-8. `ordinals`: a full stop makes numbers ordinal.
  explicit SentenceRules(const std::vector<std::string>& starters, bool ordinals = false)
      : starters_(starters.begin(), starters.end()), ordinals_(ordinals) {}

  // Appends the places of the tokens that start a sentence to `starts`, in order; 0 is the first, if there are tokens.
  void find(std::span<const SentenceToken> tokens, std::vector<std::size_t>& starts) const;

 private:
  bool starts_sentence(std::span<const SentenceToken> tokens, std::size_t stop, std::size_t next,
                       std::size_t begin) const;

  // Whether the full stop at `stop` makes the token before it an ordinal number, by the first word behind it.
  bool is_ordinal(std::span<const SentenceToken> tokens, std::size_t stop, std::size_t word) const;

  std::unordered_set<std::string> starters_;
  bool ordinals_;
};

}  // namespace corpusprep
