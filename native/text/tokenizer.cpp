#include "text/tokenizer.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "text/scanner.hpp"
#include "text/vertical.hpp"

namespace corpusprep {

namespace {

std::size_t first_byte(std::string_view text) { return static_cast<unsigned char>(text.front()); }

}  // namespace

Tokenizer::Tokenizer(TokenizerRules rules) : rules_(std::move(rules)) {
  for (auto* list : {&rules_.abbreviations, &rules_.numbered, &rules_.clitic_prefixes, &rules_.clitic_suffixes,
                     &rules_.words, &rules_.joints}) {
    for (const std::string& rule : *list) {
      if (rule.empty() || rule.size() > kLongestRule) {
        throw std::invalid_argument("a rule is empty or longer than 64 bytes");
      }
    }
    std::ranges::sort(*list, [](const std::string& a, const std::string& b) {
      return a.size() != b.size() ? a.size() > b.size() : a < b;
    });
  }
  for (unsigned byte = 0; byte < 0x80; ++byte) {
    const std::uint8_t flags = kAscii[byte];
    if ((flags & (kLetter | kDigit | kLink | kLocal)) != 0 || byte == '@' || byte == ':') continue;
    // After a comma or a slash, a number may continue.
    ends_word_[byte] = byte == ',' || byte == '/' ? kLetter : kLetter | kDigit;
  }
  for (unsigned byte = 0; byte < 0x80; ++byte)
    plain_mark_[byte] = std::string_view("&'`#@").find(static_cast<char>(byte)) == std::string_view::npos;
  for (const auto* list :
       {&rules_.abbreviations, &rules_.numbered, &rules_.clitic_prefixes, &rules_.words, &rules_.joints}) {
    for (const std::string& rule : *list) {
      for (const char byte : rule) ends_word_[static_cast<unsigned char>(byte)] = 0;
    }
  }
  for (const auto* list : {&rules_.abbreviations, &rules_.numbered}) {
    for (const std::string& abbreviation : *list) {
      abbreviations_.emplace(abbreviation, list == &rules_.numbered);
      abbreviation_sizes_[first_byte(abbreviation)] |= size_bit(abbreviation.size());
      longest_abbreviation_ = std::max(longest_abbreviation_, abbreviation.size());
    }
  }
  for (const std::string& word : rules_.words) {
    words_.insert(word);
    word_sizes_[first_byte(word)] |= size_bit(word.size());
    plain_mark_[first_byte(word)] = false;
  }
  for (const std::string& joint : rules_.joints) starts_joint_[first_byte(joint)] = true;
  for (const std::string& prefix : rules_.clitic_prefixes) {
    starts_prefix_[first_byte(prefix)] = true;
    prefixes_[first_byte(prefix)].push_back(prefix);
  }
  for (const std::string& suffix : rules_.clitic_suffixes) {
    suffixes_[static_cast<unsigned char>(suffix.back())].push_back(suffix);
  }
}

template <class Sink>
void Tokenizer::divide(std::string_view text, TokenSpan token, Sink&& sink) const {
  auto [begin, end, glued] = token;
  // Of the tokens that do not start with a full stop, only those of rule 4 and listed words end with one.
  if (rules_.stops_apart && text[end - 1] == '.' && text[begin] != '.' &&
      !words_.contains(text.substr(begin, end - begin))) {
    std::size_t letter = begin;
    for (std::size_t place = begin; place < end; ++place) {
      if ((static_cast<unsigned char>(text[place]) & 0xC0) != 0x80 && text[place] != '.') letter = place;
      if (text[place] != '.') continue;
      const char32_t before = decode_utf8(text, letter).code_point;
      const bool capital = unicode_class(before) == UnicodeClass::letter && !token_characters::is_small(before);
      if (place + 1 < end && !capital) continue;
      if (begin < place) sink(begin, place, std::exchange(glued, true));
      sink(place, place + 1, true);
      begin = place + 1;
    }
  } else {
    sink(begin, end, glued);
  }
}

void Tokenizer::tokenize(std::string_view text, std::vector<TokenSpan>& spans) const {
  Scanner(*this, text).run([&](std::size_t begin, std::size_t end, bool glued) {
    divide(text, {begin, end, glued}, [&](auto... part) { spans.push_back({part...}); });
  });
}

namespace {

// Appends to a string through a buffer. Short tokens are copied in one move.
class Lines {
 public:
  Lines(std::string_view text, std::string& out) noexcept
      : text_(text),
        out_(out),
        has_special_(std::ranges::any_of(kSpecial, [&](char c) { return contains(text, c); })) {}

  void token(std::size_t begin, std::size_t end, bool glued) {
    if (has_special_ && text_.substr(begin, end - begin).find_first_of(kSpecial) != std::string_view::npos) {
      flush();
      if (glued) out_.append(kGlue);
      append_escaped(text_.substr(begin, end - begin), out_);
      out_ += '\n';
      return;
    }
    const std::size_t size = end - begin;
    if (used_ + kGlue.size() + std::max(size, kMove) + 1 > sizeof buffer_) {
      flush();
      if (size > sizeof buffer_ / 2) {
        if (glued) out_.append(kGlue);
        out_.append(text_.substr(begin, size)).push_back('\n');
        return;
      }
    }
    char* next = buffer_ + used_;
    // Glue is unpredictable, so its line is always written and usually overwritten.
    std::memcpy(next, kGlue.data(), kGlue.size());
    next += glued ? kGlue.size() : 0;
    if (size <= kMove && begin + kMove <= text_.size()) {
      std::memcpy(next, text_.data() + begin, kMove);
    } else {
      std::memcpy(next, text_.data() + begin, size);
    }
    next[size] = '\n';
    used_ = static_cast<std::size_t>(next - buffer_) + size + 1;
  }
  void flush() {
    out_.append(buffer_, used_);
    used_ = 0;
  }

 private:
  static bool contains(std::string_view text, char c) noexcept { return text.find(c) != std::string_view::npos; }
  static constexpr std::string_view kGlue = "<g/>\n";
  static constexpr std::size_t kMove = 16;
  std::string_view text_;
  std::string& out_;
  bool has_special_;  // few texts have such a character, and a look at all bytes is faster than one at each token
  std::size_t used_ = 0;
  char buffer_[4096];
};

}  // namespace

std::size_t Tokenizer::append_vertical(std::string_view text, std::string& lines) const {
  std::size_t tokens = 0;
  Lines out(text, lines);
  Scanner(*this, text).run([&](std::size_t begin, std::size_t end, bool glued) {
    divide(text, {begin, end, glued}, [&](auto... part) {
      out.token(part...);
      ++tokens;
    });
  });
  out.flush();
  return tokens;
}

std::size_t Tokenizer::append_sentences(std::string_view text, const SentenceRules& rules, std::string& lines) const {
  std::vector<TokenSpan> spans;
  std::vector<SentenceToken> tokens;
  Scanner(*this, text).run([&](std::size_t begin, std::size_t end, bool glued) {
    spans.push_back({begin, end, glued});
    tokens.push_back({text.substr(begin, end - begin), glued});
  });
  std::vector<std::size_t> starts;
  rules.find(tokens, starts);
  auto start = starts.begin();
  std::size_t number = 0;
  for (std::size_t place = 0; place < tokens.size(); ++place) {
    if (start != starts.end() && *start == place) {
      lines += place == 0 ? "<s>\n" : "</s>\n<s>\n";
      ++start;
    }
    divide(text, spans[place], [&](std::size_t begin, std::size_t end, bool glued) {
      if (glued) lines += "<g/>\n";
      append_escaped(text.substr(begin, end - begin), lines);
      lines += '\n';
      ++number;
    });
  }
  if (!tokens.empty()) lines += "</s>\n";
  return number;
}

}  // namespace corpusprep
