"""What personal data looks like, by country: telephone numbers, bank accounts, identity numbers, words beside them.

Numbers of telephones: ITU-T E.164 and the numbering plans of the countries; bank accounts: the registry of IBANs (ISO
13616). native/personal/finder.hpp says how the rules are applied.
"""

from collections.abc import Collection
from functools import cache
from typing import NamedTuple

from corpusprep._native.personal import PersonalFinder

#: Kinds of personal data, by the number that the kernel gives them.
KINDS = ("email", "phone", "ip", "iban", "card", "identity")


class Country(NamedTuple):
    """A country.

    Attributes:
        code: ISO 3166.
        languages: codes of languages that are mostly read there.
        phone: trunk prefix, least and most digits with it; digits that a number may begin with, and shapes of groups,
            for numbers that no word like "telephone" announces.
        identities: patterns of identity numbers, each with its check.
    """

    code: str
    languages: tuple[str, ...]
    phone: tuple[str, int, int, str, tuple[str, ...]]
    identities: tuple[tuple[str, str], ...] = ()


_NANP = ("", 10, 11, "123456789", ("3-3-4", "1-3-3-4"))
_SPAIN = ("", 9, 9, "6789", ("3-2-2-2", "2-3-2-2"))
_DNI = (("99999999A", "dni"), ("99999999-A", "dni"), ("A9999999A", "dni"), ("A-9999999-A", "dni"))
_NORDIC = ("", 8, 8, "23456789", ("2-2-2-2",))
_CZECH = (("999999/9999", "czech"),)

#: In a fixed order: the number of a country is a bit of the kernel's argument.
COUNTRIES = (
    Country("de", ("de", "nds"), ("0", 8, 13, "", ()), (("99 999 999 999", "steuer"),)),
    Country("at", ("de",), ("0", 8, 13, "", ())),
    Country("ch", ("de", "fr", "it"), ("0", 10, 10, "", ())),
    Country("fr", ("fr", "br", "oc"), ("0", 10, 10, "", ()), (("9 99 99 99 999 999 99", "nir"),)),
    Country("be", ("nl", "fr"), ("0", 9, 10, "", ())),
    Country("nl", ("nl", "fy"), ("0", 10, 10, "", ())),
    Country("it", ("it",), ("0", 8, 11, "3", ("3-7", "3-3-4", "3-6-1")), (("AAAAAA99A99A999A", "fiscale"),)),
    Country("es", ("es", "ca", "gl", "eu", "ast"), _SPAIN, _DNI),
    Country("pt", ("pt",), ("", 9, 9, "2", ("2-3-2-2",))),
    Country("br", ("pt",), ("0", 10, 11, "123456789", ("2-4-4", "2-5-4")), (("999.999.999-99", "cpf"),)),
    Country("gb", ("en", "cy", "gd"), ("0", 10, 11, "", ()), (("AA999999A", "nino"), ("AA 99 99 99 A", "nino"))),
    Country("ie", ("en", "ga"), ("0", 9, 10, "", ())),
    Country("us", ("en",), _NANP, (("999-99-9999", "ssn"),)),
    Country("au", ("en",), ("0", 10, 10, "", ())),
    Country("pl", ("pl",), ("", 9, 9, "123456789", ("2-3-2-2",)), (("99999999999", "pesel"),)),
    Country("cz", ("cs",), ("", 9, 9, "", ()), _CZECH),
    Country("sk", ("sk",), ("0", 9, 10, "", ()), _CZECH),
    Country("hr", ("hr",), ("0", 8, 10, "", ()), (("99999999999", "iso11_10"),)),
    Country("tr", ("tr",), ("0", 11, 11, "", ()), (("99999999999", "turkey"),)),
    Country("ru", ("ru",), ("8", 11, 11, "", ()), (("999-999-999 99", "snils"),)),
    Country("ru", ("ru",), ("", 10, 10, "34589", ("3-3-2-2",))),
    Country("ua", ("uk",), ("0", 10, 10, "", ())),
    Country("se", ("sv",), ("0", 8, 11, "", ()), (("999999-9999", "sweden"),)),
    Country("no", ("no", "nb", "nn"), _NORDIC, (("999999 99999", "norway"),)),
    Country("dk", ("da",), _NORDIC),
    Country("fi", ("fi",), ("0", 8, 12, "", ()), (("999999-999?", "finland"), ("999999A999?", "finland"))),
    Country("jp", ("ja",), ("0", 10, 11, "", ())),
    Country("kr", ("ko",), ("0", 9, 11, "", ())),
    Country("cn", ("zh",), ("0", 10, 12, "1", ("3-4-4",)), (("99999999999999999?", "china"),)),
)

#: Calling codes with the least and most digits behind them; those of other countries have 7 to 12.
_LENGTHS = {
    "1": (10, 10), "7": (10, 10), "20": (8, 10), "27": (9, 9), "30": (10, 10), "31": (9, 9), "32": (8, 9),
    "33": (9, 9), "34": (9, 9), "36": (8, 9), "39": (6, 11), "40": (9, 9), "41": (9, 9), "43": (7, 12), "44": (9, 10),
    "45": (8, 8), "46": (7, 10), "47": (8, 8), "48": (9, 9), "49": (7, 12), "51": (8, 9), "52": (10, 10),
    "54": (10, 11), "55": (10, 11), "56": (9, 9), "57": (8, 10), "61": (9, 9), "62": (8, 12), "64": (8, 10),
    "81": (9, 10), "82": (8, 10), "86": (10, 11), "90": (10, 10), "91": (10, 10), "98": (10, 10), "351": (9, 9),
    "353": (7, 9), "358": (6, 11), "380": (9, 9), "385": (8, 9), "386": (8, 8), "420": (9, 9), "421": (9, 9),
}  # fmt: skip
_OTHER_CODES = """
    53 58 60 63 65 66 84 92 93 94 95 211 212 213 216 218 220 221 222 223 224 225 226 227 228 229 230 231 232 233 234
    235 236 237 238 239 240 241 242 243 244 245 248 249 250 251 252 253 254 255 256 257 258 260 261 262 263 264 265 266
    267 268 269 290 291 297 298 299 350 352 354 355 356 357 359 370 371 372 373 374 375 376 377 378 381 382 383 387 389
    423 500 501 502 503 504 505 506 507 508 509 590 591 592 593 594 595 596 597 598 599 670 672 673 674 675 676 677 678
    679 680 681 682 683 685 686 687 688 689 690 691 692 850 852 853 855 856 880 886 960 961 962 963 964 965 966 967 968
    970 971 972 973 974 975 976 977 992 993 994 995 996 998
"""
CALLING_CODES = dict.fromkeys(_OTHER_CODES.split(), (7, 12)) | _LENGTHS

_IBANS = """
    AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18
    FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21
    MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25
    SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20
"""
IBAN_LENGTHS = {word[:2]: int(word[2:]) for word in _IBANS.split()}

#: Words before telephone numbers, in small letters; a star stands for more letters.
PHONE_WORDS = tuple(
    """
    tel telefon* telefax telefono teléfono teléfonos téléphone telephone* phone phones tél tlf tfn fon fax mob mobil
    mobile móvil móviles mobiltelefon* handy* cell gsm whatsapp call hotline rufnummer* cellulare cellulari celular
    telemóvel telefone* komórka komórk* telefoon* tlf puhelin* puh gsm-nummer rappelnummer numéro* portable cep
    anruf* rufen appel* llam* chiam* ligue ligar dzwoni* zadzwo* faks* kom volejte zavolej* bel ring
    тел телефон* факс звон* позвон* моб мобильн* мобільн* 电话* 手机* 電話* 携帯* 传真* 致电* 拨打* 전화* 휴대*
    ☎* ☏* ✆* 📞* 📱*
    """.split()
)
#: Words before numbers that are none of a telephone.
OTHER_WORDS = tuple(
    """
    isbn* issn* doi ean gtin upc ref reference* ustid vat hrb hra sn serial serie* order* bestell* artikel* art artnr
    part p/n model modell* nr no № num numer numero número nummer* n° id invoice* rechnung* facture* factura* konto*
    account* version* v zip plz siret siren nif cif cnpj rcs bic blz patent* din iso rfc pmid серия номер заказ* арт
    """.split()
)
#: Words before numbers that are versions and sections, and before IP addresses of small numbers.
VERSION_WORDS = tuple("versi* versão wersj* verz* v ver release* build* firmware* section* § верси* 版本*".split())
IP_WORDS = tuple(
    "ip ipv4 ip-adresse* dns server* host address* adresse* dirección endereço adres* адрес* 地址*".split()
)


@cache
def kernel() -> PersonalFinder:
    """Returns the kernel with all rules; for one thread."""
    return PersonalFinder(
        CALLING_CODES,
        IBAN_LENGTHS,
        [country.phone for country in COUNTRIES],
        [country.identities for country in COUNTRIES],
        PHONE_WORDS,
        OTHER_WORDS,
        VERSION_WORDS,
        IP_WORDS,
    )


def countries_of(language: str, host: str = "") -> int:
    """Returns the countries whose numbers a text may have, as bits: those of its language, and that of its host.

    >>> countries_of("da") == countries_of("", "www.beispiel.dk")
    True
    """
    return _bits(language.partition("-")[0], host.rpartition(".")[2].lower())


@cache
def _bits(language: str, ending: str) -> int:
    ending = {"uk": "gb"}.get(ending, ending)
    return sum(
        1 << number
        for number, country in enumerate(COUNTRIES)
        if language in country.languages or country.code == ending
    )


def effective(find: Collection[str], mask: Collection[str]) -> tuple[str, ...]:
    """Returns the kinds that are looked for: those of the setting `find`; without it all, if any are replaced."""
    return tuple(kind for kind in KINDS if kind in find or (not find and mask))
