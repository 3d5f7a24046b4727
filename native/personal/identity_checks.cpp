#include "personal/identity_checks.hpp"

#include <array>
#include <cstddef>
#include <initializer_list>
#include <iterator>

namespace corpusprep {

namespace {

constexpr int value(char c) noexcept { return c >= '0' && c <= '9' ? c - '0' : c - 'A' + 10; }

int weighted(std::string_view digits, std::initializer_list<int> weights) noexcept {
  int sum = 0;
  std::size_t place = 0;
  for (const int weight : weights) sum += weight * value(digits[place++]);
  return sum;
}

long long whole(std::string_view digits) noexcept {
  long long number = 0;
  for (const char c : digits) number = 10 * number + value(c);
  return number;
}

// Whether the digits from a place are a month and a day, or a day and a month.
bool is_date(std::string_view digits, std::size_t month, std::size_t day) noexcept {
  const auto m = whole(digits.substr(month, 2)), d = whole(digits.substr(day, 2));
  return m >= 1 && m <= 12 && d >= 1 && d <= 31;
}

bool iso11_10(std::string_view digits) noexcept {
  int rest = 10;
  for (const char c : digits.substr(0, digits.size() - 1)) {
    rest = (rest + value(c)) % 10;
    rest = (rest == 0 ? 10 : rest) * 2 % 11;
  }
  return (11 - rest) % 10 == value(digits.back());
}

// One of the first ten digits occurs more than once (IdNrV, section 1), as random numbers seldom fail to.
bool steuer(std::string_view digits) noexcept {
  std::array<int, 10> counts{};
  for (const char c : digits.substr(0, 10)) ++counts[static_cast<std::size_t>(value(c))];
  int repeated = 0;
  for (const int count : counts) repeated += count > 1;
  return digits[0] != '0' && repeated == 1 && iso11_10(digits);
}

bool dni(std::string_view number) noexcept {
  long long digits = 0;
  std::size_t first = 0;
  if (number[0] >= 'A') {
    if (number[0] < 'X' || number[0] > 'Z') return false;
    digits = number[0] - 'X';
    first = 1;
  }
  digits = digits * (first == 1 ? 10000000 : 1) + whole(number.substr(first, 8 - first));
  return std::string_view("TRWAGMYFPDXBNJZSQVHLCKE")[static_cast<std::size_t>(digits % 23)] == number[8];
}

bool fiscale(std::string_view number) noexcept {
  constexpr int kOdd[] = {1,  0,  5, 7, 9,  13, 15, 17, 19, 21, 1,  0,  5,  7,  9,  13, 15, 17,
                          19, 21, 2, 4, 18, 20, 11, 3,  6,  8,  12, 14, 16, 10, 22, 25, 24, 23};
  int sum = 0;
  for (std::size_t i = 0; i < 15; ++i) {
    const int each = value(number[i]);
    sum += i % 2 == 0 ? kOdd[static_cast<std::size_t>(each) % std::size(kOdd)]
                      : each % 10 + (each >= 20 ? 10 * (each / 10 - 1) : 0);
  }
  return sum % 26 == number[15] - 'A';
}

bool cpf(std::string_view digits) noexcept {
  if (digits.find_first_not_of(digits[0]) == std::string_view::npos) return false;
  for (const std::size_t size : {std::size_t{9}, std::size_t{10}}) {
    int sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += static_cast<int>(size + 1 - i) * value(digits[i]);
    if (sum * 10 % 11 % 10 != value(digits[size])) return false;
  }
  return true;
}

bool norway(std::string_view digits) noexcept {
  return is_date(digits, 2, 0) && weighted(digits, {3, 7, 6, 1, 8, 9, 4, 5, 2, 1}) % 11 == 0 &&
         weighted(digits, {5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1}) % 11 == 0;
}

bool finland(std::string_view number) noexcept {
  const auto rest = (whole(number.substr(0, 6)) * 1000 + whole(number.substr(6, 3))) % 31;
  return is_date(number, 2, 0) &&
         std::string_view("0123456789ABCDEFHJKLMNPRSTUVWXY")[static_cast<std::size_t>(rest)] == number[9];
}

bool czech(std::string_view digits) noexcept {
  const auto month = whole(digits.substr(2, 2)) % 50, day = whole(digits.substr(4, 2));
  return month >= 1 && month <= 12 && day >= 1 && day <= 31 && whole(digits) % 11 == 0;
}

bool china(std::string_view number) noexcept {
  for (const char c : number.substr(0, 17)) {
    if (c > '9') return false;
  }
  const int sum = weighted(number, {7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2});
  const auto year = whole(number.substr(6, 4));
  return is_date(number, 10, 12) && year >= 1900 && year < 2100 && number[17] == "10X98765432"[sum % 11];
}

bool ssn(std::string_view digits) noexcept {
  const auto area = whole(digits.substr(0, 3));
  return area != 0 && area != 666 && area < 900 && digits.substr(3, 2) != "00" && digits.substr(5) != "0000";
}

bool nino(std::string_view number) noexcept {
  constexpr std::string_view kNever = "DFIQUV";
  return kNever.find(number[0]) == std::string_view::npos && kNever.find(number[1]) == std::string_view::npos &&
         number[1] != 'O' && number[8] <= 'D';
}

bool turkey(std::string_view digits) noexcept {
  if (digits[0] == '0') return false;
  const int odd = weighted(digits, {1, 0, 1, 0, 1, 0, 1, 0, 1}), even = weighted(digits, {0, 1, 0, 1, 0, 1, 0, 1});
  return (7 * odd - even + 100) % 10 == value(digits[9]) && (odd + even + value(digits[9])) % 10 == value(digits[10]);
}

}  // namespace

bool meets_luhn(std::string_view digits) noexcept {
  int sum = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const int digit = value(digits[digits.size() - 1 - i]);
    sum += i % 2 == 0 ? digit : 2 * digit - (digit > 4 ? 9 : 0);
  }
  return sum % 10 == 0;
}

bool meets_identity_check(std::string_view number, std::string_view check) noexcept {
  if (check == "iso11_10") return iso11_10(number);
  if (check == "steuer") return steuer(number);
  if (check == "dni") return dni(number);
  if (check == "fiscale") return fiscale(number);
  if (check == "nir") {
    return (number[0] == '1' || number[0] == '2') && 97 - whole(number.substr(0, 13)) % 97 == whole(number.substr(13));
  }
  if (check == "pesel") {
    const auto month = whole(number.substr(2, 2)) % 20, day = whole(number.substr(4, 2));
    return month >= 1 && month <= 12 && day >= 1 && day <= 31 &&
           weighted(number, {1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1}) % 10 == 0;
  }
  if (check == "cpf") return cpf(number);
  if (check == "sweden") return is_date(number, 2, 4) && meets_luhn(number);
  if (check == "finland") return finland(number);
  if (check == "norway") return norway(number);
  if (check == "czech") return czech(number);
  if (check == "china") return china(number);
  if (check == "ssn") return ssn(number);
  if (check == "nino") return nino(number);
  if (check == "turkey") return turkey(number);
  if (check == "snils") return weighted(number, {9, 8, 7, 6, 5, 4, 3, 2, 1}) % 101 % 100 == whole(number.substr(9));
  return false;
}

}  // namespace corpusprep
