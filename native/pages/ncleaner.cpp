#include "pages/ncleaner.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "text/unicode.hpp"

namespace corpusprep {

namespace {

bool ascends(const std::vector<std::uint32_t>& values) {
  return std::ranges::adjacent_find(values, [](auto a, auto b) { return a >= b; }) == values.end();
}

}  // namespace

Symbols::Symbols(const SymbolArrays& arrays) : classes_(arrays.classes) {
  if (arrays.characters.size() != arrays.symbols.size() || !ascends(arrays.characters)) {
    throw std::invalid_argument("the characters do not ascend, or lack symbols");
  }
  if (!arrays.characters.empty() && arrays.characters.back() > 0x10FFFF) {
    throw std::invalid_argument("a character is no code point");
  }
  const bool bounded = std::ranges::find(arrays.symbols, kBoundary) != arrays.symbols.end() ||
                       std::ranges::find(classes_, kBoundary) != classes_.end();
  if (bounded) throw std::invalid_argument("a character has the symbol of the ends of a text");
  highest_ = *std::ranges::max_element(classes_);
  for (char32_t c = 0; c < kDirect; ++c) direct_[c] = classes_[static_cast<std::size_t>(unicode_class(c))];
  for (std::size_t i = 0; i < arrays.characters.size(); ++i) {
    highest_ = std::max(highest_, arrays.symbols[i]);
    if (arrays.characters[i] < kDirect) {
      direct_[arrays.characters[i]] = arrays.symbols[i];
    } else {
      characters_.push_back(arrays.characters[i]);
      symbols_.push_back(arrays.symbols[i]);
    }
  }
}

std::uint8_t Symbols::searched(char32_t character) const noexcept {
  const auto found = std::ranges::lower_bound(characters_, static_cast<std::uint32_t>(character));
  if (found != characters_.end() && *found == character) {
    return symbols_[static_cast<std::size_t>(found - characters_.begin())];
  }
  return classes_[static_cast<std::size_t>(unicode_class(character))];
}

CharacterModel::CharacterModel(const SymbolArrays& symbols, const TrigramArrays& trigrams)
    : symbols_(symbols), count_(trigrams.count), weights_(trigrams.pairs) {
  if (count_ < 2 || count_ > kMostSymbols || symbols_.highest() >= count_) {
    throw std::invalid_argument("there are too few or too many symbols");
  }
  const std::size_t pairs = std::size_t{count_} * count_;
  if (trigrams.pairs.size() != pairs || trigrams.contexts.size() != pairs ||
      trigrams.trigrams.size() != trigrams.weights.size()) {
    throw std::invalid_argument("the weights do not fit the symbols");
  }
  if (!ascends(trigrams.trigrams)) throw std::invalid_argument("the trigrams do not ascend");
  if (!trigrams.trigrams.empty() && trigrams.trigrams.back() / count_ >= pairs) {
    throw std::invalid_argument("a trigram has a symbol that does not exist");
  }
  contexts_.resize(pairs);
  for (std::size_t context = 0; context < pairs; ++context) {
    contexts_[context] = {static_cast<std::uint32_t>(context % count_ * count_), trigrams.contexts[context]};
  }
  for (std::size_t i = 0; i < trigrams.trigrams.size(); ++i) {
    const std::uint32_t context = trigrams.trigrams[i] / count_;
    Context& place = contexts_[context];
    if (place.row < pairs) {
      const auto extra = place.extra;
      const std::size_t lower = place.row;
      place = {static_cast<std::uint32_t>(weights_.size()), 0};
      for (std::size_t symbol = 0; symbol < count_; ++symbol) {
        const auto weight =
            std::clamp<std::int32_t>(weights_[lower + symbol] + extra, std::numeric_limits<std::int16_t>::min(),
                                     std::numeric_limits<std::int16_t>::max());
        weights_.push_back(static_cast<std::int16_t>(weight));
      }
    }
    weights_[place.row + trigrams.trigrams[i] % count_] = trigrams.weights[i];
  }
}

Segment CharacterModel::measure(std::string_view utf8) const noexcept {
  Segment found;
  std::uint32_t before = Symbols::kBoundary, last = Symbols::kBoundary;
  const auto add = [&](std::uint32_t symbol) {
    const Context& context = contexts_[before * count_ + last];
    found.sum += weights_[context.row + symbol] + context.extra;
    before = last;
    last = symbol;
  };
  for (std::size_t place = 0; place < utf8.size();) {
    const auto [character, length] = decode_utf8(utf8, place);
    place += length;
    const auto kind = unicode_class(character);
    found.letters += kind == UnicodeClass::letter || kind == UnicodeClass::mark;
    found.bars += character == U'|';
    add(symbols_.of(character));
  }
  add(Symbols::kBoundary);
  return found;
}

}  // namespace corpusprep
