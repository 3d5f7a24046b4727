#include "inspection/token_search.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "text/vertical.hpp"

namespace corpusprep {

TokenSearch::TokenSearch(SearchPattern pattern, const std::array<std::uint8_t, 256>& first_bytes,
                         const std::array<std::uint8_t, 256>& last_bytes, std::uint32_t untested, bool all_columns)
    : pattern_(std::move(pattern)),
      first_bytes_(first_bytes),
      last_bytes_(last_bytes),
      all_columns_(all_columns),
      bits_{untested},
      recent_(std::size_t{1} << kRecentBits) {
  const auto places = pattern_.tests.size();
  if (places == 0 || places > kMostPlaces) throw std::invalid_argument("too few or too many places");
  if (pattern_.structures.size() > kMostStructures) throw std::invalid_argument("too many structures");
  for (const auto test : pattern_.tests) {
    if (test >= kMostTests) throw std::invalid_argument("too many tests");
  }
  const auto within = [places](const PlaceSet& set) {
    bool all = true;
    set.each([&](std::size_t place) { all &= place < places; });
    return all;
  };
  for (const auto& ways : pattern_.ways) {
    if (ways.next.size() != places || !within(ways.first) || !within(ways.last) ||
        !std::ranges::all_of(ways.next, within)) {
      throw std::invalid_argument("a way to a place that is not there");
    }
    ways.first.each([&](std::size_t place) { first_tests_ |= std::uint32_t{1} << pattern_.tests[place]; });
  }
  single_ = pattern_.ways.size() == 1 && pattern_.ways[0].bounds == 0 && pattern_.barriers == 0;
  for (std::size_t place = 0; single_ && place < places; ++place) {
    PlaceSet only;
    if (place + 1 < places) only.add(place + 1);
    single_ = pattern_.ways[0].next[place] == only && pattern_.ways[0].first.has(place) == (place == 0) &&
              pattern_.ways[0].last.has(place) == (place + 1 == places);
  }
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
  bounds_.clear();
  waiting_bounds_ = inside_ = 0;
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
      if (!pattern_.structures.empty()) bound(line);
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
    if (!pattern_.structures.empty()) {
      bounds_.push_back(waiting_bounds_ | inside_);
      waiting_bounds_ = 0;
    }
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
  if (!pattern_.structures.empty()) bounds_.push_back(waiting_bounds_);
}

void TokenSearch::bound(std::string_view line) noexcept {
  const bool closes = line[1] == '/';
  const auto name = line.substr(closes ? 2 : 1);
  for (std::size_t number = 0; number < pattern_.structures.size(); ++number) {
    const std::string_view structure = pattern_.structures[number];
    if (!name.starts_with(structure)) continue;
    const char behind = name[structure.size()];  // the line ends with '>'
    if (behind != ' ' && behind != '>' && behind != '/') continue;
    const auto begins = std::uint32_t{1} << number, ends = begins << kMostStructures;
    const auto inner = begins << (2 * kMostStructures);
    if (closes) {
      waiting_bounds_ |= ends;
      inside_ &= ~inner;
    } else if (line[line.size() - 2] == '/') {
      waiting_bounds_ |= begins | ends;
    } else {
      waiting_bounds_ |= begins;
      inside_ |= inner;
    }
  }
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
  const auto places = pattern_.tests.size();
  if (single_) {
    if (end - token < places) return 0;
    for (std::size_t place = 0; place < places; ++place) {
      if (!passes(token + place, place)) return 0;
    }
    return places;
  }
  PlaceSet reached;
  for (const auto& ways : pattern_.ways) {
    if ((ways.bounds & ~bounds_before(token)) == 0) reached |= ways.first;
  }
  std::size_t length = 0, longest = 0;
  while (true) {
    PlaceSet here;
    reached.each([&](std::size_t place) {
      if (passes(token + length, place)) here.add(place);
    });
    if (here.empty()) return longest;
    ++length;
    const auto bounds = bounds_before(token + length);
    reached = PlaceSet();
    for (const auto& ways : pattern_.ways) {
      if ((ways.bounds & ~bounds) != 0) continue;
      if (here.meets(ways.last)) longest = length;
      here.each([&](std::size_t place) { reached |= ways.next[place]; });
    }
    if (longest == length && !pattern_.longest) return length;
    if (token + length == end || (bounds & pattern_.barriers) != 0 || length == kMostTokens) return longest;
  }
}

void TokenSearch::match(std::vector<FoundSequence>& found) {
  for (std::size_t number = 0; number < blocks_.size(); ++number) {
    const auto& block = blocks_[number];
    const auto end = number + 1 < blocks_.size() ? blocks_[number + 1].first_token : numbered_.size();
    for (auto token = block.first_token; token < end; ++token) {
      if ((bits_[numbered_[token].type] & first_tests_) == 0) continue;
      if ((pattern_.inside & ~bounds_before(token)) != 0) continue;
      const auto length = length_at(token, end);
      if (length == 0) continue;
      const auto begin = numbered_[token].offset;
      const auto last = piece_.find('\n', numbered_[token + length - 1].offset);
      found.push_back({block.document, block.offset, begin,
                       static_cast<std::int64_t>(last == std::string_view::npos ? piece_.size() : last),
                       static_cast<std::int64_t>(token), static_cast<std::int64_t>(token + length)});
    }
  }
}

}  // namespace corpusprep
