// The check digits of identity numbers.
#pragma once

#include <string_view>

namespace corpusprep {

// Returns whether a number, of digits and capitals alone, meets a check; an unknown one is met by none. The checks are:
// iso11_10 (ISO 7064: Croatia); steuer (Germany); dni (Spain); fiscale (Italy); nir (France); pesel (Poland); cpf
// (Brazil); sweden; finland; norway; czech; china; ssn (United States: the ranges); nino (United Kingdom: the letters);
// turkey; snils (Russia).
bool meets_identity_check(std::string_view number, std::string_view check) noexcept;

// The check of Luhn.
bool meets_luhn(std::string_view digits) noexcept;

}  // namespace corpusprep
