// Fuzz target: personal data in any text, with made-up rules that reach every kind.
#include <cstdint>
#include <string>

#include "demand.hpp"
#include "input.hpp"
#include "personal/finder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static corpusprep::PersonalFinder finder([] {
    corpusprep::PersonalRules rules;
    rules.calling_codes = {{"1", {10, 10}}, {"49", {7, 12}}, {"420", {9, 9}}};
    rules.iban_lengths = {{"DE", 22}, {"NO", 15}};
    rules.phones = {{"0", 8, 13, "", {}}, {"", 9, 9, "6789", {"3-2-2-2"}}};
    rules.identities = {{{U"99 999 999 999", "steuer"}, {U"AAAAAA99A99A999A", "fiscale"}},
                        {{U"99999999A", "dni"}, {U"999999-999?", "finland"}, {U"99999999999999999?", "china"}}};
    rules.phone_words = {U"tel", U"telefon*"};
    rules.other_words = {U"isbn*"};
    rules.version_words = {U"v"};
    rules.ip_words = {U"ip"};
    return rules;
  }());
  Input input(data, size);
  const std::uint64_t countries = input.byte();
  std::u32string text;
  // One byte per character, and a few that stand for far ones.
  for (const char c : input.rest()) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte < 0xF0 ? char32_t{byte} : char32_t{0x660} + (byte - 0xF0) * 0x101;
  }
  std::uint32_t end = 0;
  for (const corpusprep::PersonalPlace& place : finder.find(text, countries)) {
    demand(place.start >= end && place.end > place.start && place.end <= text.size());
    end = place.end;
  }
  return 0;
}
