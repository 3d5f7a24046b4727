// Finds personal data that its form shows: e-mail addresses, telephone numbers, IP addresses, IBANs, payment cards and
// identity numbers.
//
// One scan looks only at digits, '@', '+' and brackets; what is around them decides. Numbers with a check digit must
// have the right one: ISO 7064 (IBAN, identity numbers), Luhn 1960 (cards). Telephone numbers follow ITU-T E.164; those
// without a country code need the form of a country, or a word like "telephone" before them. Time is linear in the
// length of the text: what is looked at around a character has a bounded length.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace corpusprep {

enum class PersonalKind : std::uint8_t { email, phone, ip, iban, card, identity };

// A place in a text: code points [start, end).
struct PersonalPlace {
  PersonalKind kind;
  std::uint32_t start, end;
};

// How telephone numbers of a country look without its code.
struct PhoneForm {
  std::string trunk;                // digits that begin a number; empty if there are none
  std::size_t least = 0, most = 0;  // digits, with the trunk
  std::string firsts;               // digits that a number of one of the shapes may begin with
  std::vector<std::string> shapes;  // lengths of groups, as "3-3-4", that no other numbers have
};

// An identity number: '9' is a digit, 'A' a capital, '?' either, ' ' a space that may be missing.
struct IdentityForm {
  std::u32string pattern;
  std::string check;  // the name of its check (identity_checks.hpp)
};

struct PersonalRules {
  std::map<std::string, std::array<std::size_t, 2>> calling_codes;  // code -> least and most digits behind it
  std::map<std::string, std::size_t> iban_lengths;                  // country -> characters
  std::vector<PhoneForm> phones;                                    // by the number of a country
  std::vector<std::vector<IdentityForm>> identities;                // by the number of a country
  // In small letters; a star at the end stands for more letters.
  std::vector<std::u32string> phone_words, other_words, version_words, ip_words;
};

// Keeps memory for the next text. For one thread.
class PersonalFinder {
 public:
  // Takes at most 64 countries (std::invalid_argument).
  explicit PersonalFinder(PersonalRules rules);

  // Returns the personal data of a text below 4 Gi code points, in order and without overlap. `countries` has a bit per
  // country whose telephone and identity numbers are looked for.
  std::vector<PersonalPlace> find(std::u32string_view text, std::uint64_t countries);

 private:
  // A run of groups of digits.
  struct Number {
    std::string digits;
    std::vector<std::size_t> ends, sizes;  // of groups: the end in the text, the digits
    std::string joints;                    // before each group but the first: one of " -./()"
    bool plus = false, bracket = false;    // it begins with '+', with '('
    std::size_t zero = 0;                  // the group that is (0), from 1; 0: none
  };

  char32_t at(std::size_t place) const noexcept { return place < text_.size() ? text_[place] : U'\0'; }
  bool starts(std::size_t place) const noexcept;
  bool ends(std::size_t place) const noexcept;
  bool said(const std::vector<std::u32string>& words, std::size_t place, bool across = false) const;
  Number number(std::size_t place) const;

  std::optional<PersonalPlace> checked(std::size_t place, std::uint64_t countries) const;
  std::optional<PersonalPlace> grouped(std::size_t place, std::uint64_t countries) const;
  // Each returns the end, or 0.
  std::size_t email(std::size_t at_sign, std::size_t& start) const;
  std::size_t ip4(std::size_t place) const;
  std::size_t ip6(std::size_t place) const;
  std::size_t iban(std::size_t place) const;
  std::size_t card(const Number& number) const;
  std::size_t identity(std::size_t begin, std::uint64_t countries) const;
  std::size_t international(std::size_t place, const Number& number) const;
  std::size_t national(std::size_t place, const Number& number, std::uint64_t countries) const;

  PersonalRules rules_;
  std::u32string text_;
  std::size_t floor_ = 0;     // the end of the last place
  bool after_phone_ = false;  // whether that is a telephone number
};

}  // namespace corpusprep
