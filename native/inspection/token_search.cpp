#include "inspection/token_search.hpp"

#include <algorithm>
#include <bitset>
#include <limits>
#include <stdexcept>
#include <utility>

#include "text/vertical.hpp"

namespace corpusprep {

TokenSearch::TokenSearch(std::vector<SearchElement> elements, const std::array<std::uint8_t, 256>& first_bytes,
                         const std::array<std::uint8_t, 256>& last_bytes, std::uint32_t untested, bool all_columns)
    : elements_(std::move(elements)),
      first_bytes_(first_bytes),
      last_bytes_(last_bytes),
      all_columns_(all_columns),
      bits_{untested},
      recent_(std::size_t{1} << kRecentBits) {
  std::size_t most = 0;
  for (const auto& element : elements_) {
    if (element.most == 0 || element.least > element.most) throw std::invalid_argument("an element has a wrong range");
    most += element.most;
  }
  if (elements_.empty() || elements_.size() > kMostElements || elements_.front().least == 0 || most > kMostTokens) {
    throw std::invalid_argument("too few or too many elements");
  }
  single_ = std::ranges::all_of(elements_, [](const auto& one) { return one.least == 1 && one.most == 1; });
}

void TokenSearch::number(std::string_view piece) {
  if (piece.size() > std::numeric_limits<std::uint32_t>::max()) throw std::invalid_argument("the piece is too long");
  if (types_.arena_bytes() + types_.slot_bytes() >= kTypeBytes) {
    types_.clear();
    bits_.resize(1);
    std::ranges::fill(recent_, Recent{});
  }
  piece_ = piece;
  fresh_.clear();
  numbered_.clear();
  blocks_.clear();
  window_.begin(piece);
  const char* start = piece.data();
  const char* const end = start + piece.size();
  std::uint32_t document = 0;
  bool inside = false;
  while (start != end) {
    const auto [stop, column] = line_ends(start, end);
    const char* const line_end = stop != nullptr ? stop : end;
    const char* const first_column = stop != nullptr ? column : std::find(start, end, '\t');
    const char* const type_end = all_columns_ ? line_end : first_column;
    const auto offset = static_cast<std::uint32_t>(start - piece.data());
    const std::string_view line{start, static_cast<std::size_t>(line_end - start)};
    const std::string_view type{start, static_cast<std::size_t>(type_end - start)};
    start = stop != nullptr ? stop + 1 : end;
    if (line.empty()) continue;
    if (is_structure(line)) {
      if (line.starts_with("<doc")) {
        document = offset;
        inside = false;
      } else if (line.starts_with("<p ") || line == "<p>") {
        blocks_.push_back({document, offset, numbered_.size()});
        inside = true;
      } else if (line.starts_with("</p") || line.starts_with("</doc")) {
        inside = false;
      }
      continue;
    }
    if (!inside || first_column == line.data()) continue;
    ++tokens_;
    numbered_.push_back({0, offset});
    if (first_bytes_[static_cast<unsigned char>(type.front())] == 0 ||
        last_bytes_[static_cast<unsigned char>(first_column[-1])] == 0) {
      continue;
    }
    const auto word = TableWord::of(type, static_cast<std::size_t>(end - type.data()));
    if (const auto& one = recent(word); word.packed != 0 && one.packed == word.packed) {
      numbered_.back().type = one.type;
      continue;
    }
    waiting_.push_back(numbered_.size() - 1);
    if (window_.push(type, types_)) number_waiting();
  }
  number_waiting();
}

void TokenSearch::number_waiting() {
  auto place = waiting_.begin();
  window_.drain(types_, [&](const TableWord& word) {
    auto& number = numbered_[*place++].type;
    const char* const known = types_.find(word);
    if (known != nullptr) {
      number = WordTable<std::uint32_t>::get(known);
    } else {
      number = static_cast<std::uint32_t>(bits_.size());
      bits_.push_back(0);
      types_.insert(word, number);
      fresh_.emplace_back(word.bytes);
    }
    if (word.packed != 0) recent(word) = {word.packed, number};
  });
  waiting_.clear();
}

void TokenSearch::decide(const std::uint32_t* bits, std::size_t count) {
  if (count != fresh_.size()) throw std::invalid_argument("not as many decisions as types");
  std::copy_n(bits, count, bits_.end() - static_cast<std::ptrdiff_t>(count));
}

std::size_t TokenSearch::length_at(std::size_t token, std::size_t end) const {
  if (single_) {
    if (end - token < elements_.size()) return 0;
    for (std::size_t element = 0; element < elements_.size(); ++element) {
      if (!passes(token + element, element)) return 0;
    }
    return elements_.size();
  }
  using Places = std::bitset<kMostTokens + 1>;  // after how many tokens an element may begin
  Places places;
  places.set(0);
  std::size_t furthest = 0;
  for (std::size_t element = 0; element < elements_.size(); ++element) {
    Places next;
    for (std::size_t place = 0; place <= furthest; ++place) {
      if (!places[place]) continue;
      for (std::size_t taken = 0; taken <= elements_[element].most; ++taken) {
        if (taken >= elements_[element].least) next.set(place + taken);
        if (taken == elements_[element].most || token + place + taken >= end ||
            !passes(token + place + taken, element)) {
          break;
        }
      }
    }
    if (next.none()) return 0;
    places = next;
    furthest += elements_[element].most;
  }
  std::size_t length = 1;
  while (length <= furthest && !places[length]) ++length;
  return length <= furthest ? length : 0;
}

void TokenSearch::match(std::vector<FoundSequence>& found) {
  for (std::size_t number = 0; number < blocks_.size(); ++number) {
    const auto& block = blocks_[number];
    const auto end = number + 1 < blocks_.size() ? blocks_[number + 1].first_token : numbered_.size();
    for (auto token = block.first_token; token < end; ++token) {
      if (!passes(token, 0)) continue;
      const auto length = length_at(token, end);
      if (length == 0) continue;
      const auto begin = numbered_[token].offset;
      const auto last = piece_.find('\n', numbered_[token + length - 1].offset);
      found.push_back({block.document, block.offset, begin,
                       static_cast<std::int64_t>(last == std::string_view::npos ? piece_.size() : last)});
    }
  }
}

}  // namespace corpusprep
