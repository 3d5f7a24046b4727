// Fuzz target: UTF-8 and byte trigrams on any bytes, compared with a byte-by-byte implementation.
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "demand.hpp"
#include "encoding/byte_trigrams.hpp"
#include "encoding/utf8.hpp"

namespace {

constexpr std::size_t kMost = 100;

// Table 3-7 of the Unicode Standard: returns whether `second` may follow the first byte of a character.
bool second_fits(unsigned first, unsigned second) {
  const unsigned low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  return second >= low && second <= high;
}

double plain_share(const std::uint8_t* data, std::size_t size) {
  std::size_t characters = 0, invalid = 0;
  for (std::size_t i = 0; i < size;) {
    const unsigned first = data[i++];
    if (first < 0x80) continue;
    unsigned missing = first < 0xC2 || first > 0xF4 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    bool valid = missing != 0;
    for (bool second = true; missing != 0 && i < size; second = false, --missing, ++i) {
      if (second ? !second_fits(first, data[i]) : (data[i] & 0xC0) != 0x80) break;
    }
    if (missing != 0 && i == size && invalid == 0) return characters ? 1.0 : 0.0;
    valid &= missing == 0;
    ++characters;
    invalid += !valid;
  }
  return characters ? 1.0 - static_cast<double>(invalid) / static_cast<double>(characters) : 1.0;
}

// Returns the text with paired surrogates: their ten bits each, plus 0x10000.
std::string plainly_paired(const std::uint8_t* data, std::size_t size) {
  const auto half = [&](std::size_t i, unsigned from, unsigned to) {
    return i + 3 <= size && data[i] == 0xED && data[i + 1] >= from && data[i + 1] <= to && (data[i + 2] & 0xC0) == 0x80;
  };
  std::string text;
  for (std::size_t i = 0; i < size;) {
    if (half(i, 0xA0, 0xAF) && half(i + 3, 0xB0, 0xBF)) {
      const auto bits = [&](std::size_t at, unsigned mask) { return static_cast<std::uint32_t>(data[at] & mask); };
      const std::uint32_t c = 0x10000 + (bits(i + 1, 0x0F) << 16) + (bits(i + 2, 0x3F) << 10) +
                              (bits(i + 4, 0x0F) << 6) + bits(i + 5, 0x3F);
      text += {static_cast<char>(0xF0 + (c >> 18)), static_cast<char>(0x80 + (c >> 12) % 64),
               static_cast<char>(0x80 + (c >> 6) % 64), static_cast<char>(0x80 + c % 64)};
      i += 6;
    } else if (half(i, 0xA0, 0xBF)) {
      text += '\xFF';
      i += 3;
    } else {
      text += static_cast<char>(data[i++]);
    }
  }
  return text;
}

std::uint32_t folded(const std::uint8_t* data, std::size_t size, std::size_t place) {
  if (place >= size) return ' ';
  const std::uint8_t byte = data[place];
  return byte >= 0x80 || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ? byte : ' ';
}

// Returns the running trigrams beyond ASCII.
std::vector<std::uint32_t> trigrams(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint32_t> found;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint32_t left = i == 0 ? ' ' : folded(data, size, i - 1);
    const std::uint32_t key = left << 16 | folded(data, size, i) << 8 | folded(data, size, i + 1);
    if ((key & 0x808080) != 0) found.push_back(key);
  }
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const double share = plain_share(data, size);
  demand(corpusprep::utf8_share(text) == share);
  for (const double least : {0.5, 0.9}) {
    const double found = corpusprep::utf8_share(text, least);
    demand(found == share || (found < least && share < least));
  }

  const std::string paired = plainly_paired(data, size);
  const auto mended = corpusprep::pair_surrogates(text);
  demand(mended ? *mended == paired && paired != text : paired == text);

  const auto counted = corpusprep::count_high_bytes(text);
  std::size_t all = 0, controls = 0, ascii_controls = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const bool space = data[i] >= 0x09 && data[i] <= 0x0D;
    ascii_controls += data[i] == 0x7F || (data[i] < 0x20 && data[i] != 0x1B && !space);
    all += data[i] >= 0x80;
    controls += data[i] >= 0x80 && data[i] < 0xA0;
  }
  demand(counted.all == all && counted.controls == controls);
  demand(corpusprep::count_controls(text) == ascii_controls);

  // Half of the trigrams are known; the second encoding has a third of these.
  const auto running = trigrams(data, size);
  std::map<std::uint32_t, std::array<std::uint32_t, 2>> known;
  for (std::size_t i = 0; i < running.size(); i += 2) known[running[i]] = {running[i], i % 3 ? 0 : 0xFFFFFFFF};
  std::vector<std::uint32_t> keys, weights;
  for (const auto& [key, of] : known) {
    keys.push_back(key);
    weights.insert(weights.end(), of.begin(), of.end());
  }
  std::array<std::uint64_t, 2> expected{}, sums{};
  for (std::size_t i = 0; i < running.size() && i < kMost; ++i) {
    if (const auto of = known.find(running[i]); of != known.end()) {
      for (std::size_t e = 0; e < 2; ++e) expected[e] += of->second[e];
    }
  }
  const corpusprep::ByteTrigrams table(keys, weights, 2);
  table.add(text, kMost, sums.data());
  demand(sums == expected);
  for (std::size_t e = 0; e < 2; ++e) demand(table.any(text, kMost, e) == (expected[e] != 0));
  return 0;
}
