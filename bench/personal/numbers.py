"""Makes numbers with right check digits, for the gold set: by their definitions, apart from the kernel's code."""

import string
from collections.abc import Callable
from random import Random

#: Country -> the account part of its IBANs: '9' is a digit, 'A' a capital.
ACCOUNTS = {
    "DE": "9" * 18, "GB": "AAAA" + "9" * 14, "FR": "9" * 23, "ES": "9" * 20, "IT": "A" + "9" * 22, "PT": "9" * 21,
    "PL": "9" * 24, "CZ": "9" * 20, "NL": "AAAA" + "9" * 10, "CH": "9" * 17,
}  # fmt: skip


def filled(pattern: str, random: Random) -> str:
    """Returns a pattern with its marks replaced: '#' is a digit, 'N' no 0, '?' from 2 on, 'A' a capital."""
    sets = {"#": string.digits, "N": string.digits[1:], "?": string.digits[2:], "A": string.ascii_uppercase}
    return "".join(random.choice(sets[mark]) if mark in sets else mark for mark in pattern)


def luhn(digits: str) -> str:
    """Returns the check digit of Luhn."""
    doubled = [int(digit) * (2 - place % 2) for place, digit in enumerate(reversed(digits))]
    return str(-sum(number // 10 + number % 10 for number in doubled) % 10)


def iban(country: str, random: Random) -> str:
    """Returns an IBAN without spaces (ISO 13616, check digits of ISO 7064, MOD 97-10)."""
    account = "".join(
        random.choice(string.digits if mark == "9" else string.ascii_uppercase) for mark in ACCOUNTS[country]
    )
    number = "".join(str(int(character, 36)) for character in f"{account}{country}00")
    return f"{country}{98 - int(number) % 97:02}{account}"


def card(random: Random) -> str:
    """Returns the number of a payment card: Visa, Mastercard or American Express."""
    start, size = random.choice([("4", 16), ("4", 16), ("5" + random.choice("12345"), 16), ("37", 15)])
    digits = start + "".join(random.choice(string.digits) for _ in range(size - 1 - len(start)))
    return digits + luhn(digits)


def isbn13(random: Random) -> str:
    """Returns an ISBN of 13 digits with hyphens."""
    digits = "978" + filled("#########", random)
    check = -sum(int(digit) * (1, 3)[place % 2] for place, digit in enumerate(digits)) % 10
    return f"978-{digits[3]}-{digits[4:7]}-{digits[7:]}-{check}"


def isbn10(random: Random) -> str:
    """Returns an ISBN of 10 digits with hyphens."""
    digits = filled("#########", random)
    check = -sum(int(digit) * (10 - place) for place, digit in enumerate(digits)) % 11
    return f"{digits[0]}-{digits[1:4]}-{digits[4:]}-{'X' if check == 10 else check}"


def ean(random: Random) -> str:
    """Returns the number of an article, of 13 digits."""
    digits = filled("40##########", random)
    return digits + str(-sum(int(digit) * (1, 3)[place % 2] for place, digit in enumerate(digits)) % 10)


def _birthday(random: Random) -> tuple[str, str, str]:
    return f"{random.randint(40, 99)}", f"{random.randint(1, 12):02}", f"{random.randint(1, 28):02}"


def _steuer(random: Random) -> str:
    ten = random.sample(string.digits, 9)
    ten.append(random.choice(ten))
    random.shuffle(ten)
    if ten[0] == "0":
        return _steuer(random)
    product = 10
    for digit in ten:
        product = ((int(digit) + product) % 10 or 10) * 2 % 11
    number = "".join(ten) + str((11 - product) % 10)
    return random.choice([number, f"{number[:2]} {number[2:5]} {number[5:8]} {number[8:]}"])


def _nir(random: Random) -> str:
    year, month, _ = _birthday(random)
    number = f"{random.choice('12')}{year}{month}{random.randint(1, 95):02}" + filled("######", random)
    key = f"{97 - int(number) % 97:02}"
    spaced = f"{number[0]} {number[1:3]} {number[3:5]} {number[5:7]} {number[7:10]} {number[10:]} {key}"
    return random.choice([number + key, spaced])


def _dni(random: Random) -> str:
    digits = filled("########", random)
    return f"{digits}{random.choice(['', '-'])}{'TRWAGMYFPDXBNJZSQVHLCKE'[int(digits) % 23]}"


def _fiscale(random: Random) -> str:
    year, _, day = _birthday(random)
    code = f"{filled('AAAAAA', random)}{year}{random.choice('ABCDEHLMPRST')}{day}{filled('A###', random)}"
    odd = dict(zip(string.digits + string.ascii_uppercase, [1, 0, 5, 7, 9, 13, 15, 17, 19, 21] * 2, strict=False))
    odd |= dict(zip("KLMNOPQRSTUVWXYZ", [2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23], strict=True))
    even = {c: int(c) if c.isdigit() else ord(c) - ord("A") for c in string.digits + string.ascii_uppercase}
    total = sum((even if place % 2 else odd)[character] for place, character in enumerate(code))
    return code + chr(ord("A") + total % 26)


def _cpf(random: Random) -> str:
    digits = filled("N########", random)
    for size in (10, 11):
        rest = sum(int(digit) * (size - place) for place, digit in enumerate(digits)) * 10 % 11
        digits += str(rest % 10)
    return f"{digits[:3]}.{digits[3:6]}.{digits[6:9]}-{digits[9:]}"


def _pesel(random: Random) -> str:
    digits = "".join(_birthday(random)) + filled("####", random)
    weights = (1, 3, 7, 9, 1, 3, 7, 9, 1, 3)
    return digits + str(-sum(int(d) * w for d, w in zip(digits, weights, strict=True)) % 10)


def _czech(random: Random) -> str:
    year, month, day = _birthday(random)
    digits = f"{year}{int(month) + random.choice((0, 50)):02}{day}" + filled("###", random)
    rest = int(digits) % 11
    return f"{digits[:6]}/{digits[6:]}{rest}" if rest < 10 else _czech(random)


def _snils(random: Random) -> str:
    digits = filled("N########", random)
    check = sum(int(digit) * (9 - place) for place, digit in enumerate(digits)) % 101 % 100
    return f"{digits[:3]}-{digits[3:6]}-{digits[6:]} {check:02}"


def _china(random: Random) -> str:
    digits = f"11010{random.randint(1, 9)}19{''.join(_birthday(random))}" + filled("###", random)
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    return digits + "10X98765432"[sum(int(d) * w for d, w in zip(digits, weights, strict=True)) % 11]


def _english(random: Random) -> str:
    security = f"{random.randint(1, 665):03}-{random.randint(1, 99):02}-{random.randint(1, 9999):04}"
    insurance = f"{random.choice(['AB', 'JK', 'PC', 'SN'])} {filled('## ## ##', random)} {random.choice('ABCD')}"
    return random.choice([security, insurance, insurance.replace(" ", "")])


#: Language -> identity numbers that texts in it have.
IDENTITIES: dict[str, Callable[[Random], str]] = {
    "en": _english, "de": _steuer, "fr": _nir, "es": _dni, "it": _fiscale, "pt": _cpf, "pl": _pesel, "cs": _czech,
    "ru": _snils, "zh": _china,
}  # fmt: skip
