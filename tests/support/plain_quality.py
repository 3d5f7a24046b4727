"""Words and signals of documents, written plainly: what native/quality does."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from support.plain_names import script_without_spaces

from corpusprep._native import unicode
from corpusprep.quality.words import Splitting

#: How most languages cut words.
USUAL = Splitting("between_letters", elision=False, ordinals=False)
MARKS = "…,:;!?¿؟¡()[]{}<>_#*&。？！，、；：～·।،۔؛٪"
QUOTES = "'\"”“`‘´’‚„»«「」『』（）〔〕【】《》〈〉⟦⟧"
CURRENCIES = "$£€¥฿₽﷼₴₠₡₢₣₤₥₦₧₨₩₪₫₭₮₯₰₱₲₳₵₶₷₸₹₺₻₼₾₿"
UNITS = (
    "km km² km³ m m² m³ dm dm² dm³ cm cm² cm³ mm mm² mm³ ha µm nm yd in ft kg g mg µg t lb oz m/s km/h kmh mph hPa Pa"
    " mbar mb MB kb KB gb GB tb TB T G M K % км м дм см мм нм кг г мг м/с км/ч кПа Па Кб кб Мб Гб ГБ Тб"
).split()
NO_WORD = "!/—”:％１〈&(、━\\【#%「」，】；+^]~“《„';’{|∶´[=-`*．（–？！：$～«〉,><》)?）。…@_.\"}►»"
POLICIES = ("terms of use", "privacy policy", "cookie policy", "uses cookies", "use of cookies", "use cookies")
#: Of the marks that end lines, those that the tests have.
LINE_ENDS = ".!?。！？؟।"


def letter(c: str) -> bool:
    """Whether a character is a letter."""
    return unicode.unicode_class(ord(c)) == unicode.LETTER


def small(c: str) -> bool:
    """Whether it is a small letter, or one without case."""
    return letter(c) and unicode.lower(c) == c


def capital(c: str) -> bool:
    """Whether it is a capital, or a letter without case."""
    return letter(c) and (unicode.lower(c) != c or unicode.title(c) == c)


def space(c: str) -> bool:
    """Whether it is white space."""
    return unicode.unicode_class(ord(c)) == unicode.SPACE


def digit(c: str) -> bool:
    """Whether it is a digit of ASCII."""
    return "0" <= c <= "9"


def any_of(choices: Iterable[str]) -> str:
    """An expression for any of these texts, the longest one first."""
    return "|".join(sorted(map(re.escape, choices), key=len, reverse=True))


def prefix(piece: str) -> str:
    """What comes off the front of a piece."""
    if match := re.match(
        rf"US\$|[CA]\$|\.\.+|\+(?![0-9])|{any_of(MARKS + QUOTES + CURRENCIES + '§%=—–')}|[¦©®°☃]", piece
    ):
        return match[0]
    return ""


def suffix(piece: str, ordinals: bool) -> str:
    """The longest thing that comes off the end of a piece."""
    found = [
        match[0]
        for expression in (
            r"\.\.+\Z",
            r"……\Z",
            rf"(?:{any_of(MARKS + QUOTES + '—–')}|[¦©®°☃])\Z",
            r"['’][sS]\Z",
            r"(?<=[0-9])\+\Z",
            rf"(?<=[0-9])(?:{any_of([*CURRENCIES, 'US$', 'C$', 'A$'])})\Z",
            rf"(?<=[0-9])(?:{any_of(UNITS)})\Z",
            r"(?<=°[FCK])\.\Z",
        )
        if (match := re.search(expression, piece))
    ]
    if piece.endswith(".") and len(piece) > 1 and piece[-2] != ".":
        before = piece[-2]
        seen = (digit(before) and not ordinals) or small(before) or before in "%²-+|" + MARKS + QUOTES
        if seen or (len(piece) > 2 and capital(before) and capital(piece[-3])):
            found.append(".")
    return max(found, key=len, default="")


def infix(piece: str, place: int, hyphens: str) -> str:
    """What divides a piece at a place."""
    c, rest = piece[place], piece[place:]
    before, after = piece[place - 1 : place], piece[place + 1 : place + 2]
    if match := re.match(r"\.\.+|…|[¦©®°☃]", rest):
        return match[0]
    if c in "+-*^" and before and digit(before) and after and (digit(after) or after == "-"):
        return c
    if not before:
        return ""
    if c == "." and (small(before) or before in QUOTES) and after and (capital(after) or after in QUOTES):
        return c
    if c == "," and letter(before) and after and letter(after):
        return c
    if letter(before) or digit(before):
        if c in ":<>=/" and after and letter(after):
            return c
        match = re.match(r"-{1,3}|—{1,2}|–|~", rest)
        if (
            not match
            or (not letter(before) and hyphens != "behind_digits")
            or (hyphens == "stay" and len(match[0]) == 1)
        ):
            return ""
        if (end := rest[match.end() :]) and letter(end[0]):
            return match[0]
    return ""


def is_host(host: str) -> bool:
    """Whether a text is a name of a host, or a public IP address."""
    labels = host.split(".")
    if len(labels) == 4 and all(re.fullmatch("[0-9]{1,3}", label) for label in labels):
        a, b, c, d = map(int, labels)
        local = a in (10, 127) or (a, b) in ((169, 254), (192, 168)) or (a == 172 and 16 <= b <= 31)
        return not local and 1 <= a <= 223 and b <= 255 and c <= 255 and 1 <= d <= 254

    def plain(c: str) -> bool:
        return digit(c) or (letter(c) if c < "\x80" else "\xa1" <= c <= "\uffff")

    *names, last = labels
    return (
        bool(names)
        and 2 <= len(last) <= 63
        and all(map(small, last))
        and all(
            0 < len(name) <= 64 and plain(name[0]) and plain(name[-1]) and all(plain(c) or c in "-_" for c in name)
            for name in names
        )
    )


def is_address(piece: str) -> bool:
    """Whether a piece is an address of the Web or of mail."""
    scheme, mark, rest = piece.partition("://")
    kinds = (unicode.LETTER, unicode.NUMBER)
    if not mark or len(scheme) < 2 or not all(unicode.unicode_class(ord(c)) in kinds or c in "_+-." for c in scheme):
        rest = piece
    starts = [0, *(match.end() for match in re.finditer("@", rest) if match.start() > 0)]
    for start in starts:
        match = re.fullmatch(r"([^:/?#]*)(?::[0-9]{2,5})?(?:[/?#].*)?", rest[start:], re.DOTALL)
        if match and is_host(match[1]):
            return True
    return False


def words(text: str, exceptions: Sequence[Sequence[str]] = (), splitting: Splitting = USUAL) -> list[str]:
    """The words of a text."""
    known = {"".join(parts): list(parts) for parts in reversed(exceptions)}
    found: list[str] = []
    for piece in "".join("\n" if space(c) else c for c in text).split("\n"):
        found += cut(piece, known, splitting) if piece else []
    return found


def cut(piece: str, known: dict[str, list[str]], splitting: Splitting) -> list[str]:
    """The words of a piece without white space."""
    front: list[str] = []
    back: list[str] = []
    while piece and piece not in known:
        start = prefix(piece)
        if start and piece[len(start) :] in known:
            front.append(start)
            piece = piece[len(start) :]
            break
        end = suffix(piece[len(start) :], splitting.ordinals)
        if end and piece[: -len(end)] in known:
            back.append(end)
            piece = piece[: -len(end)]
            break
        if not start and not end:
            break
        front += [start] if start else []
        back += [end] if end else []
        piece = piece[len(start) : len(piece) - len(end)]
    return [*front, *(known.get(piece) or middle(piece, splitting)), *reversed(back)]


def middle(piece: str, splitting: Splitting) -> list[str]:
    """The words of a piece without marks at its edges."""
    if not piece or is_address(piece):
        return [piece] if piece else []
    parts: list[str] = []
    start = place = 0
    while place < len(piece):
        before = piece[max(0, place - 2) : place]
        elided = len(before) == 2 and letter(before[0]) and before[1] in "'’" and letter(piece[place])
        if splitting.elision and start < place and elided:
            parts.append(piece[start:place])
            start = place
        mark = infix(piece, place, splitting.hyphens)
        if mark and place:
            parts += [piece[start:place], mark]
            start = place + len(mark)
        place += len(mark) or 1
    return list(filter(None, [*parts, piece[start:]]))


def share(part: float, whole: float) -> float:
    """A share; of nothing, 0."""
    return part / whole if whole else 0.0


def repeats(parts: Sequence[str]) -> tuple[int, int]:
    """The parts that were there before, and their characters."""
    again = [part for number, part in enumerate(parts) if part in parts[:number]]
    return len(again), sum(map(len, again))


def top(tokens: Sequence[str], n: int) -> int:
    """The characters of the most frequent n-gram, of equally frequent ones the first."""
    counts = Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))
    if not counts:
        return 0
    best, count = max(counts.items(), key=lambda item: item[1])
    return len(" ".join(best)) * count


def repeated(tokens: Sequence[str], n: int) -> int:
    """The characters of n-grams that were there before and do not overlap."""
    seen, characters, place = set(), 0, 0
    while place + n <= len(tokens):
        ngram = tuple(tokens[place : place + n])
        if ngram in seen:
            characters += len("".join(ngram))
            place += n
        else:
            seen.add(ngram)
            place += 1
    return characters


def strip(text: str) -> str:
    """A text without white space at its ends."""
    while text and space(text[0]):
        text = text[1:]
    while text and space(text[-1]):
        text = text[:-1]
    return text


def pieces(text: str) -> list[str]:
    """The pieces of a text between white space."""
    return "".join(" " if space(c) else c for c in text).split(" ") if text else []


def c4(lines: Sequence[str], cut_words: Callable[[str], list[str]]) -> tuple[int, int, int]:
    """The sentences of lines that C4 keeps, whether it finds lorem ipsum, and a curly bracket."""
    found = 0
    for line in map(strip, lines):
        parts = list(filter(None, pieces(line)))
        if any(len(part) > 1000 for part in parts):
            continue
        line = re.sub(r"\[[0-9]*\]|\[edit\]|\[citation needed\]", "", line)
        if not line.endswith((".", "?", "!", '"', "'")) or line.endswith("...") or len(parts) < 3:
            continue
        low = re.sub("[A-Z]", lambda match: match[0].lower(), line)
        if "lorem ipsum" in low:
            return found, 1, 0
        if "javascript" in low:
            continue
        if "{" in line:
            return found, 0, 1
        if any(policy in low for policy in POLICIES):
            continue
        tokens, ended, count = cut_words(line), False, 0
        for token in tokens:
            is_end = token in list(LINE_ENDS)
            marks = all(unicode.unicode_class(ord(c)) == unicode.PUNCTUATION for c in token)
            if count == 0 or (ended and not marks and not is_end):
                count, ended = count + 1, is_end
            elif is_end:
                ended = True
        found += count
    return found, 0, 0


def is_web_line(line: str) -> bool:
    """Whether RefinedWeb takes a line out."""
    parts = list(filter(None, pieces(line)))
    numbers = [bool(re.fullmatch("[0-9,.]*", part)) for part in parts]
    letters = [c for c in line if letter(c)]
    counter = len(parts) == 2 and digit(line[0]) and sum(numbers) == 1 and bool(letters)
    capitals = sum(unicode.lower(c) != c for c in letters)
    return len(parts) == 1 or all(numbers) or counter or 2 * capitals > len(letters)


def signals(
    text: str,
    exceptions: Sequence[Sequence[str]] = (),
    stop_words: Iterable[str] = (),
    splitting: Splitting = USUAL,
) -> dict[str, float]:
    """The signals of a text, by name."""
    tokens = words(text, exceptions, splitting)
    counted = [word for word in tokens if any(c not in NO_WORD and not (c < " " or "\x7f" <= c < "\xa0") for c in word)]
    classes = [unicode.unicode_class(ord(c)) for c in text]
    letters = sum(kind in (unicode.LETTER, unicode.MARK) for kind in classes)
    shown = len(text) - classes.count(unicode.SPACE)
    lines = text.removesuffix("\n").split("\n") if text else []
    bare = list(map(strip, lines))
    filled = [line for line in lines if strip(line)]
    parts, paragraphs = re.split("\n+", text), re.split("\n{2,}", strip(text))
    sentences, lorem, curly = c4(lines, lambda line: words(line, exceptions, splitting))
    web = [len(list(filter(None, pieces(line)))) for line in bare if line]
    webby = [number for line, number in zip(filter(None, bare), web, strict=True) if is_web_line(line)]
    breaks = text.count("\n")
    return {
        "characters": len(text),
        "lines": len(filled),
        "words": len(counted),
        "mean_word_length": share(sum(map(len, counted)), len(counted)),
        "mean_line_length": share(sum(map(len, filled)), len(filled)),
        "distinct_words": share(len(set(tokens)), len(tokens)),
        "stop_words": len(set(stop_words) & set(tokens)),
        "alphabetic_words": share(sum(any(map(letter, word)) for word in tokens), len(tokens)),
        "hashes": share(text.count("#"), len(tokens)),
        "ellipses": share(text.count("...") + text.count("…"), len(tokens)),
        "bullet_lines": share(sum(line.startswith(("•", "-")) for line in bare), len(lines)),
        "ellipsis_lines": share(sum(line.endswith(("...", "…")) for line in bare), len(lines)),
        "punctuated_lines": share(sum(line.endswith(tuple(LINE_ENDS)) for line in filled), len(filled)),
        "short_lines": share(sum(len(line) <= 30 for line in filled), len(filled)),
        "line_breaks": share(breaks, len(tokens)),
        "repeated_lines": share(repeats(parts)[0], len(parts)),
        "repeated_line_characters": share(repeats(parts)[1], len(text)),
        "repeated_characters": share(repeats(filled)[1], len(text) - breaks),
        "repeated_paragraphs": share(repeats(paragraphs)[0], len(paragraphs)),
        "repeated_paragraph_characters": share(repeats(paragraphs)[1], len(text)),
        **{f"top_{n}grams": share(top(tokens, n), len(text)) for n in (2, 3, 4)},
        **{f"repeated_{n}grams": share(repeated(tokens, n), len(text)) for n in range(5, 11)},
        "sentences": sentences,
        "lorem_ipsum": lorem,
        "curly_brackets": curly,
        "web_line_words": share(sum(webby), sum(web)),
        "letters": share(letters, shown),
        "capitals": share(sum(unicode.lower(c) != c for c in text if letter(c)), letters),
        "digits": share(classes.count(unicode.NUMBER), shown),
        "punctuation": share(classes.count(unicode.PUNCTUATION), shown),
        "symbols": share(classes.count(unicode.SYMBOL), shown),
    }


MASK, FEATURE_BITS = (1 << 64) - 1, 18
START, FACTOR = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9


def mix(key: int) -> int:
    """The finaliser of SplitMix64."""
    key = (key ^ key >> 30) * 0xBF58476D1CE4E5B9 & MASK
    key = (key ^ key >> 27) * 0x94D049BB133111EB & MASK
    return key ^ key >> 31


def feature_words(text: str, *, digits: bool = False) -> list[str]:
    """The words and marks that a classifier of quality sees: small letters, 0 for digits, marks and line ends."""
    found: list[str] = []
    word = ""
    for c in text:
        kind = unicode.unicode_class(ord(c))
        if kind in (unicode.LETTER, unicode.MARK) and not script_without_spaces(c):
            word += unicode.lower(c) if len(unicode.lower(c)) == 1 else c
        elif kind == unicode.NUMBER:
            word += c if digits else "0"
        elif kind != unicode.FORMAT:
            found += [word] if word else []
            word = ""
            alone = (unicode.LETTER, unicode.MARK, unicode.PUNCTUATION, unicode.SYMBOL)
            found += [c] if kind in alone or c == "\n" else []
    return found + ([word] if word else [])


def features(text: str) -> list[int]:
    """The numbers of these words, each followed by that of the word and the one before it."""
    numbers = []
    before = START
    for word in feature_words(text):
        key = START
        for c in word:
            key = (key ^ ord(c)) * FACTOR & MASK
        key = mix(key)
        numbers += [key >> 64 - FEATURE_BITS, mix((before * FACTOR + key) & MASK) >> 64 - FEATURE_BITS]
        before = key
    return numbers


class PlainLetterModel:
    """A model of letters, as native/quality/letter_model.hpp says; the probabilities are exact."""

    def __init__(self, words: Sequence[str], shares: Sequence[int]) -> None:
        self.alphabet = {c for word in words for c in word}
        self.counts: dict[str, dict[str, int]] = {}
        for word, share_of in zip(words, shares, strict=True):
            spelt = f"\0{word}\0"
            for place in range(1, len(spelt)):
                for start in range(max(0, place - 4), place + 1):
                    of_context = self.counts.setdefault(spelt[start:place], {})
                    of_context[spelt[place]] = of_context.get(spelt[place], 0) + share_of

    def likely(self, context: str, c: str) -> float:
        """The probability of a letter behind a context."""
        lower = self.likely(context[1:], c) if context else 1 / (len(self.alphabet) + 2)
        found = self.counts.get(context)
        if not found:
            return lower
        unit, kinds = 2**20 / 2**32, len(found)
        return (found.get(c, 0) * unit + kinds * lower) / (sum(found.values()) * unit + kinds)

    def cost(self, text: str) -> tuple[float, int]:
        """The cost of the words of a text, and their letters with ends."""
        joined = "".join(c if unicode.unicode_class(ord(c)) in (1, 2, 8) else " " for c in text)
        cost, letters = 0.0, 0
        for run in joined.split(" "):
            word = unicode.casefold("".join(c for c in run if unicode.unicode_class(ord(c)) != unicode.FORMAT))
            if word:
                spelt = f"\0{word}\0"
                letters += len(word) + 1
                for place in range(1, len(spelt)):
                    cost -= math.log(self.likely(spelt[max(0, place - 4) : place], spelt[place]))
        return cost, letters


def listed(text: str, phrases: Iterable[str]) -> list[int]:
    """How many words of a text are in phrases, the longest at each place, and how many there are."""

    def is_word(word: str) -> bool:
        return any(unicode.unicode_class(ord(c)) in (unicode.LETTER, unicode.MARK, unicode.NUMBER) for c in word)

    known = {tuple(feature_words(phrase, digits=True)) for phrase in phrases} - {()}
    tokens = feature_words(text, digits=True)
    found = place = 0
    while place < len(tokens):
        lengths = [n for n in range(1, len(tokens) - place + 1) if tuple(tokens[place : place + n]) in known]
        length = max(lengths, default=0)
        found += sum(map(is_word, tokens[place : place + length]))
        place += max(1, length)
    return [found, sum(map(is_word, tokens))]
