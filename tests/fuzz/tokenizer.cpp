// Fuzz target: the tokeniser on any bytes, with and without the rules of a language.
#include "text/tokenizer.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "demand.hpp"
#include "text/unicode.hpp"
#include "text/vertical.hpp"

namespace {

bool is_space(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto found = corpusprep::decode_utf8(text, i);
    if (corpusprep::unicode_class(found.code_point) != corpusprep::UnicodeClass::space) return false;
    i += found.length;
  }
  return true;
}

// The tokens of a vertical.
struct TokenList {
  std::vector<std::string> tokens;
  void document_begin() {}
  void document_end() {}
  void block_begin() {}
  void token(std::string_view token) { tokens.emplace_back(token); }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const corpusprep::Tokenizer plain({});
  static const corpusprep::Tokenizer ruled({.abbreviations = {"etc.", "z.B.", "1.", "\xC4\x8D."},
                                            .numbered = {"No."},
                                            .clitic_prefixes = {"l'", "dell'", "l\xE2\x80\x99", "s-"},
                                            .clitic_suffixes = {"n't", "'s", "-li", "\xE2\x80\x99s", "\xC2\xB4s"},
                                            .words = {"po'", "C++", ".x", "\xE4\xB8\xAD\xE5\x9B\xBD"},
                                            .joints = {":", "*in", "-"},
                                            .ordinals = corpusprep::Ordinals::small});
  if (size == 0) return 0;
  const auto& tokenizer = data[0] % 2 ? plain : ruled;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);

  std::vector<corpusprep::TokenSpan> spans;
  tokenizer.tokenize(text, spans);
  std::size_t end = 0;
  for (const auto& span : spans) {
    demand(span.begin >= end && span.end > span.begin && span.end <= text.size());
    demand(is_space(text.substr(end, span.begin - end)));
    demand(span.glued == (span.begin == end && end != 0));
    end = span.end;
  }
  demand(is_space(text.substr(end)));

  std::string lines;
  demand(tokenizer.append_vertical(text, lines) == spans.size());
  demand(lines.empty() == spans.empty() && (lines.empty() || lines.back() == '\n'));

  // Sentences are structures around the same tokens.
  static const corpusprep::SentenceRules rules({"The", "\xC3\x89t\xC3\xA9"}, true);
  std::string with_sentences;
  demand(tokenizer.append_sentences(text, rules, with_sentences) == spans.size());
  std::string without;
  bool inside = false;
  for (std::size_t at = 0; at < with_sentences.size();) {
    const std::size_t feed = with_sentences.find('\n', at);
    const std::string_view line = std::string_view(with_sentences).substr(at, feed + 1 - at);
    at = feed + 1;
    if (line == "<s>\n" || line == "</s>\n") {
      demand(inside == (line == "</s>\n"));
      inside = !inside;
    } else {
      demand(inside);
      without += line;
    }
  }
  demand(!inside && without == lines);

  // A reader gives the tokens back, however the lines are divided.
  TokenList found;
  corpusprep::VerticalReader<TokenList> reader(found);
  const std::size_t middle = lines.size() / 2;
  reader.feed("<doc>\n");
  reader.feed(std::string_view(lines).substr(0, middle));
  reader.feed(std::string_view(lines).substr(middle));
  reader.finish();
  demand(found.tokens.size() == spans.size());
  for (std::size_t i = 0; i < spans.size(); ++i) {
    demand(found.tokens[i] == text.substr(spans[i].begin, spans[i].end - spans[i].begin));
  }
  return 0;
}
