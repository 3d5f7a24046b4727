"""Features of blocks in plain Python, from their definitions: the oracle of native/pages/features.hpp.

Slow on purpose: each feature looks at the whole page again. Text is taken as it stands, so pages for this oracle have
no invisible characters.
"""

import itertools
import unicodedata
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from lxml import etree
from support.plain_names import block_words, names_of, script_without_spaces, small, table_sums, words_of
from support.plain_shown import TITLE, shown, why_unseen

from corpusprep.pages.features import Tables
from corpusprep.pages.segmentation import TAGS

REMOVED = {"annotation", "annotation-xml", "script", "style", "svg", "template"}
METADATA = {"base", "basefont", "bgsound", "link", "meta", "noscript", "object", "title"}
BLOCK_LEVEL = {*TAGS[1:], "head"}
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
CONTEXTS: tuple[tuple[set[str], set[str]], ...] = (
    ({"main"}, {"main"}),
    ({"nav", "menu"}, {"navigation", "menu"}),
    ({"header"}, {"banner"}),
    ({"footer"}, {"contentinfo"}),
    ({"aside"}, {"complementary"}),
    ({"form", "fieldset"}, {"form", "search"}),
    ({"table"}, set()),
    ({"ul", "ol"}, set()),
    ({"li"}, set()),
    ({"dl"}, set()),
    ({"figure"}, set()),
    ({"figcaption", "caption"}, set()),
    ({"blockquote"}, set()),
    ({"section"}, set()),
    ({"pre", "code", "kbd", "samp", "tt"}, set()),
    ({"select", "button", "label", "textarea"}, set()),
    ({"small", "time", "address"}, set()),
)
TAG_ORDER = (
    "nav footer menu option optgroup aside form fieldset legend textarea header address ul ol li dl dt dd table thead "
    "tbody tfoot tr th td caption figure figcaption summary details dialog search hr col colgroup center div body "
    "section hgroup h6 h5 h4 h3 h2 h1 article main pre blockquote p"
).split()
COMMENT_NAMES = set(
    "comment comments commentlist commenttext commentarea disqus kommentar kommentare comentario comentarios "
    "commentaire commentaires commento commenti komentarze komentarz kommentarer reacties komentari yorumlar "
    "replies".split()
)


def steps(count: int) -> int:
    """Exact up to 31, then 16 values for each doubling."""
    doublings = 0
    while count >> doublings >= 32:
        doublings += 1
    return min(255, 16 * doublings + (count >> doublings))


def share(part: int, whole: int) -> int:
    """255 times the share, rounded down."""
    return min(255, 255 * part // whole) if whole else 0


def mark_of(c: str) -> int:
    """The class of a character, as the feature last_character has it."""
    for code, members in ((4, ",;、，；،؛"), (5, ":："), (6, "…"), (7, '")“”„»」）'), (8, "?？؟"), (9, ".!。．！।۔။")):
        if c in members:
            return code
    category = unicodedata.category(c)
    if category[0] in "LM":
        return 2 if small(c) != c else 3
    return 1 if category[0] == "N" else 0


def is_target(element: etree._Element) -> bool:
    """Whether an <a> is a place to link to, and no link: named, without an address."""
    return ("id" in element.attrib or "name" in element.attrib) and "href" not in element.attrib


class Node:
    """An element with text inside."""

    def __init__(self, element: etree._Element, parent: "Node | None") -> None:
        self.element, self.parent = element, parent
        self.tag = str(element.tag)
        self.contains = parent is None or self.tag in BLOCK_LEVEL or self.tag == "body"
        self.blocks: list[int] = []  # inside, for containers
        class_ = element.get("class")
        self.local = (self.tag, None if class_ is None else "".join(c for c in class_ if c not in "0123456789"))

    @cached_property
    def chain(self) -> "list[Node]":
        """This element and those around it, from the inside."""
        return [self, *(self.parent.chain if self.parent else [])]

    @cached_property
    def containers(self) -> "list[Node]":
        """The containers in the chain."""
        return [node for node in self.chain if node.contains]

    @property
    def level(self) -> int:
        """Containers around the innermost container."""
        return len(self.containers) - 1

    @property
    def shown_as(self) -> str:
        """The name that ranks know: other names than block-level ones stand for the body."""
        return self.tag if self.tag in TAGS else "body"

    @cached_property
    def hidden(self) -> bool:
        """Whether it is not shown, by itself."""
        return why_unseen(self.element) not in {None, "reading"}

    @cached_property
    def named_comment(self) -> bool:
        """Whether it is a container, other than the whole page, whose class or id says comment."""
        if self.parent is None or not self.contains or self.shown_as in {"body", "main"}:
            return False
        return any(name in COMMENT_NAMES for name in names_of(self.element, ("class", "id")))

    def is_article(self) -> bool:
        """Whether it is an article, by its name or role."""
        return self.tag == "article" or self.element.get("role") == "article"

    def within(self, tags: set[str], roles: Collection[str] = ()) -> bool:
        """Whether it is in, or is, an element of these."""
        return any(node.tag in tags or node.element.get("role") in roles for node in self.chain)


@dataclass
class PlainBlock:
    """A block: its characters with what they are in."""

    leaf: Node
    text: list[tuple[str, bool, bool]] = field(default_factory=list)  # character, linked, bold
    parts: list[tuple[bool, int]] = field(default_factory=list)

    @cached_property
    def string(self) -> str:
        """Its text."""
        return "".join(c for c, _, _ in self.text)

    @cached_property
    def spaced(self) -> list[list[tuple[str, bool, bool]]]:
        """Its sequences without white space."""
        groups = itertools.groupby(self.text, key=lambda one: one[0] == " ")
        return [list(group) for blank, group in groups if not blank]

    @cached_property
    def unspaced(self) -> list[tuple[int, bool]]:
        """The weights of letters of scripts without spaces, and whether they are linked."""
        weights = [(script_without_spaces(c), linked) for c, linked, _ in self.text if mark_of(c) == 3]
        return [(weight, linked) for weight, linked in weights if weight]

    @cached_property
    def plain(self) -> list[list[tuple[str, bool, bool]]]:
        """The words of other scripts."""
        return [word for word in self.spaced if not (mark_of(word[0][0]) == 3 and script_without_spaces(word[0][0]))]

    @cached_property
    def words(self) -> int:
        """Running words."""
        return max(1, len(self.plain) + (sum(weight for weight, _ in self.unspaced) + 10) // 20)

    @cached_property
    def link_words(self) -> int:
        """Of these, in links."""
        linked = sum(any(one[1] for one in word) for word in self.plain)
        return min(self.words, linked + (sum(weight for weight, linked in self.unspaced if linked) + 10) // 20)

    @cached_property
    def running(self) -> int:
        """Words outside links, if it is running text."""
        return self.words - self.link_words if self.words >= 12 and 5 * self.link_words < 2 * self.words else 0

    @cached_property
    def marks(self) -> list[int]:
        """The classes of its characters."""
        return [mark_of(c) for c, _, _ in self.text if c != " "]

    @cached_property
    def heading(self) -> int:
        """The level of the innermost heading around it; 0: none."""
        return next((int(node.tag[1]) for node in self.leaf.chain if node.tag in HEADINGS), 0)

    @property
    def container(self) -> Node:
        """Its innermost container."""
        return self.leaf.containers[0]


class PlainPage:
    """A page with the features of its blocks."""

    def __init__(self, root: etree._Element) -> None:
        self.blocks: list[PlainBlock] = []
        self.title, self.shared_title, self.page_type, self.dated = "", "", 0, 0
        self._nodes: dict[etree._Element, Node] = {}
        self._current: PlainBlock | None = None
        self._space = False
        self._links = self._bolds = self._breaks = 0
        self._link_number = 0
        self._walk(shown(root), None)
        self._flush()
        for number, block in enumerate(self.blocks):
            for node in block.leaf.containers:
                node.blocks.append(number)
        self.nodes = list(dict.fromkeys(node for block in self.blocks for node in reversed(block.leaf.chain)))
        self.containers = [node for node in self.nodes if node.contains]

    # Segmentation

    def _flush(self) -> None:
        if self._current is not None:
            self.blocks.append(self._current)
        self._current, self._space = None, False

    def _walk(self, element: etree._Element, parent: Node | None) -> None:
        if not isinstance(element.tag, str) or element.tag in REMOVED:
            return
        name = element.tag
        if name in METADATA:
            self._metadata(element)
            if parent is not None and parent.tag == "head":
                return
        node = Node(element, parent)
        border = name in BLOCK_LEVEL or name == "select"
        if border:
            self._flush()
        if name == "br":
            self._space = True
            self._breaks += 1
            if self._breaks == 2:
                self._flush()
        link = name == "a" and not is_target(element)
        self._links += link
        self._link_number += link and self._links == 1
        self._bolds += name in {"b", "strong"}
        self._text(element.text or "", node)
        for child in element:
            self._walk(child, node)
            self._text(child.tail or "", node)
        self._links -= link
        self._bolds -= name in {"b", "strong"}
        if border:
            self._flush()

    def _text(self, text: str, node: Node) -> None:
        for c in text:
            if c.isspace():
                self._space = True
                continue
            self._breaks = 0
            if self._current is None:
                self._current = PlainBlock(node)
            elif self._space:
                self._current.text.append((" ", False, False))
            self._space = False
            self._current.text.append((c, self._links > 0, self._bolds > 0))
            self._current.parts.append((self._links > 0, self._link_number))

    def _metadata(self, element: etree._Element) -> None:
        if element.tag == "title" and not self.title:
            self.title = element.get(TITLE) or element.text or ""
        if element.tag == "meta":
            named = element.get("property") or element.get("name")
            content = element.get("content", "")
            if named == "og:type":
                known = {"article": 4, "product": 3, "website": 1}
                self.page_type = next((code for word, code in known.items() if content.startswith(word)), 2)
            if named == "og:title" and not self.shared_title:
                self.shared_title = content
            if named == "article:published_time":
                self.dated = 1

    # Containers

    def words(self, node: Node) -> int:
        """The words inside."""
        return sum(self.blocks[number].words for number in node.blocks)

    def link_words(self, node: Node) -> int:
        """The words in links inside."""
        return sum(self.blocks[number].link_words for number in node.blocks)

    def running(self, node: Node) -> int:
        """The running text inside."""
        return sum(self.blocks[number].running for number in node.blocks)

    @cached_property
    def readability(self) -> dict[Node, int]:
        """The readability score of each container."""
        scores = dict.fromkeys(self.containers, 0)
        for block in self.blocks:
            if block.words < 6:
                continue
            points = 100 * (1 + block.marks.count(4)) + min(300, 6 * block.words)
            score = 4 * points * (block.words - block.link_words) // block.words
            chain = block.container.containers
            scored = {"body", "div", "section", "article", "main", "center", "td"}
            if chain[0].shown_as not in scored and len(chain) > 1:
                chain = chain[1:]
            for node in chain[:3]:
                scores[node] += score
                score //= 2
        return {
            node: score * (self.words(node) - self.link_words(node)) // self.words(node)
            for node, score in scores.items()
        }

    @cached_property
    def top(self) -> Node:
        """The first container with the page's best score."""
        return max(self.containers, key=lambda node: self.readability[node])

    def holder(self, part: int, of: int) -> Node:
        """The innermost container with that share of the running text, the first of equals."""
        total = sum(block.running for block in self.blocks)
        if not total:
            return self.containers[0]
        return max(
            (node for node in self.containers if of * self.running(node) >= part * total), key=lambda node: node.level
        )

    def likeness(self, block: PlainBlock, title: set[str]) -> int:
        """Likeness of a block to a title of these words."""
        words = words_of(block.string) if block.words <= 30 else []
        if not title or not words or (not block.heading and block.words < 3) or block.leaf.within({"title"}):
            return 0
        matched = min(len(title), sum(word in title for word in words))
        return share(2 * matched, len(words) + len(title))

    @cached_property
    def matches(self) -> list[int]:
        """Likeness of each block to the title, in <title> or in og:title."""
        titles = [set(words_of(title)) for title in (self.title, self.shared_title)]
        return [max(self.likeness(block, title) for title in titles) for block in self.blocks]

    @cached_property
    def title_block(self) -> int | None:
        """The block most like the title."""
        best, place = 127, None
        for number, (block, match) in enumerate(zip(self.blocks, self.matches, strict=True)):
            likeness = match + (76 if block.heading == 1 else 38 if block.heading else 0)
            words = words_of(block.string) if block.words <= 30 else []
            if len(words) >= 2 and likeness > best:
                best, place = likeness, number
        return (
            next((number for number, block in enumerate(self.blocks) if block.heading == 1), None)
            if place is None
            else place
        )

    @staticmethod
    def distance(here: Node, there: Node) -> tuple[int, int]:
        """Containers up to one that both share, and from there down."""
        shared = next(node for node in here.containers if node in there.containers)
        return here.containers.index(shared), there.containers.index(shared)

    def comment(self, block: PlainBlock) -> bool:
        """Whether a block is in an element of comments, which has not the title in it."""
        titled = [] if self.title_block is None else self.blocks[self.title_block].container.containers
        return any(node.named_comment and node not in titled for node in block.leaf.chain)

    # Features

    def kind(self, number: int) -> str:
        """The kind of a block."""
        block = self.blocks[number]
        if self.comment(block):
            return "comment"
        if number == self.title_block:
            return "title"
        if block.heading:
            return "heading"
        if block.container.within({"pre", "code", "kbd", "samp", "tt"}):
            return "code"
        if block.container.within({"figcaption", "caption"}):
            return "caption"
        table = next((node for node in block.container.chain if node.tag == "table"), None)
        if table is not None:
            count, words = len(table.blocks), self.words(table)
            if count >= 4 and words <= 12 * count and 2 * self.running(table) < words:
                return "table"
        return "list" if any(node.tag in {"li", "dd", "dt"} for node in block.container.containers[:2]) else "text"

    def type(self, number: int, values: dict[str, int], following: list[dict[str, int]]) -> str:
        """The type of a block, from its kind, its features and those of the next block, if there is one."""
        kind = self.kind(number)
        if kind in {"heading", "title", "list"}:
            return kind[0].replace("t", "h")
        if kind not in {"text", "table"}:
            return "p"
        unfinished = bool(following) and values["last_character"] not in {4, 9}
        if unfinished and self.blocks[number].words <= 15 and values["bold"] >= 192:
            return "h"
        if values["path_mean"] >= 10:
            return "p"
        if kind == "table" or 1 in {values["before_same"] & 1, values["after_same"] & 1}:
            return "l"
        return "h" if unfinished and self.blocks[number + 1].words > self.blocks[number].words else "p"

    def columns(self, tables: Tables) -> Iterator[dict[str, int]]:
        """Yields the features of each block, by name."""
        for number in range(len(self.blocks)):
            yield {
                **self._text_features(number),
                **self._element_features(number),
                **self._place_features(number),
                **self._page_features(number),
                **self._group_features(number),
                **self._container_features(number),
                **self._neighbour_features(number),
                **table_sums(self.blocks[number].leaf.chain, self._short_words(number), tables),
            }

    def _short_words(self, number: int) -> list[int]:
        block = self.blocks[number]
        return block_words(block.string) if block.words <= 30 else []

    def _text_features(self, number: int) -> dict[str, int]:
        block = self.blocks[number]
        marks, words, spaced = block.marks, block.words, block.spaced
        letters = sum(mark in {2, 3} for mark in marks)
        visible = [c for c, _, _ in block.text if c != " "]
        ends = marks.count(8) + marks.count(9)
        linked_parts = {link for linked, link in block.parts if linked}
        firsts = [next((mark_of(c) for c, _, _ in word if mark_of(c) in {1, 2, 3}), 0) for word in spaced]
        word_marks = [[mark_of(c) for c, _, _ in word] for word in spaced]
        capitals = sum(word.count(2) > 1 and word.count(3) == 0 for word in word_marks)
        return {
            "words": steps(words),
            "word_length": min(255, 8 * len(marks) // words),
            "unlinked_words": steps(words - block.link_words),
            "link_density": share(block.link_words, words),
            "links": min(255, len(linked_parts)),
            "words_per_link": steps(block.link_words // len(linked_parts)) if linked_parts else 0,
            "commas": steps(marks.count(4)),
            "comma_rate": min(255, 512 * marks.count(4) // words),
            "sentence_ends": steps(ends),
            "sentence_end_rate": min(255, 512 * ends // words),
            "last_character": marks[-1],
            "first_character": marks[0] if marks[0] <= 3 else 0,
            "capitalised": share(firsts.count(2), len(spaced)),
            "all_capitals": share(capitals, len(spaced)),
            "digits": share(marks.count(1), len(marks)),
            "punctuation": share(len(marks) - letters - marks.count(1), len(marks)),
            "capitals": share(marks.count(2), letters),
            "unspaced": share(len(block.unspaced), len(marks)),
            "copyright": int("©" in visible),
            "separators": min(255, sum(c in "|>«·»›•" for c in visible)),
            "address": int("@" in visible) + 2 * int("//" in block.string),
            "quotes": min(255, sum(c in '"“”„' for c in visible)),
            "bold": share(sum(any(one[2] for one in word) for word in spaced), len(spaced)),
        }

    def _element_features(self, number: int) -> dict[str, int]:
        leaf = self.blocks[number].leaf
        ranks = [TAG_ORDER.index(node.shown_as) for node in leaf.containers[:3]] + [255] * 3
        contexts = [int(leaf.within(tags, roles)) for tags, roles in CONTEXTS]
        contexts += [int(any(node.hidden for node in leaf.chain)), int(self.comment(self.blocks[number]))]
        names = (
            "in_main in_navigation in_header in_footer in_aside in_form in_table in_list in_item in_definition "
            "in_figure in_caption in_quotation in_section in_code in_control in_small hidden in_comment"
        ).split()
        articles = [node for node in leaf.chain if node.is_article()]
        levels = 255
        if articles:
            inside = leaf.chain[: leaf.chain.index(articles[0])]
            levels = min(255, sum(node.contains for node in inside))
        return {
            "heading": self.blocks[number].heading,
            "tag": ranks[0],
            "parent_tag": ranks[1],
            "grandparent_tag": ranks[2],
            "articles": min(255, len(articles)),
            "article_levels": levels,
            **dict(zip(names, contexts, strict=True)),
            "level": min(255, leaf.level),
            "inline_depth": min(255, leaf.chain.index(leaf.containers[0])),
        }

    def _place_features(self, number: int) -> dict[str, int]:
        blocks = self.blocks
        words = sum(block.words for block in blocks)
        running = sum(block.running for block in blocks)
        before = sum(block.running for block in blocks[:number])
        first = next((place for place, block in enumerate(blocks) if block.heading == 1), None)
        last = next((place for place in reversed(range(number)) if blocks[place].heading), None)
        title_up = title_down = 255
        if self.title_block is not None:
            found = self.distance(blocks[number].container, blocks[self.title_block].container)
            title_up, title_down = (min(255, one) for one in found)

        def signed(place: int | None) -> int:
            return 0 if place is None else max(1, min(255, number - place + 128))

        return {
            "position": share(number, len(blocks)),
            "index": steps(number),
            "index_from_end": steps(len(blocks) - 1 - number),
            "word_position": share(sum(block.words for block in blocks[:number]), words),
            "running_position": share(before, running),
            "running_before": steps(before),
            "running_after": steps(running - before - blocks[number].running),
            "title_match": self.matches[number],
            "from_title": signed(self.title_block),
            "from_first_heading": signed(first),
            "since_heading": 255 if last is None else min(255, number - last),
            "last_heading": 0 if last is None else blocks[last].heading,
            "heading_links": 0 if last is None else share(blocks[last].link_words, blocks[last].words),
            "heading_words": steps(sum(block.words for block in blocks[0 if last is None else last + 1 : number])),
            "title_up": title_up,
            "title_down": title_down,
        }

    def _page_features(self, _: int) -> dict[str, int]:
        blocks = self.blocks
        words, running = sum(block.words for block in blocks), sum(block.running for block in blocks)
        unlinked = [block.words - block.link_words for block in blocks]
        paragraphs = sum(count for count, block in zip(unlinked, blocks, strict=True) if block.container.tag == "p")
        return {
            "page_blocks": steps(len(blocks)),
            "page_words": steps(words),
            "page_running": steps(running),
            "page_link_density": share(words - sum(unlinked), words),
            "page_longest": steps(max(unlinked)),
            "page_running_blocks": steps(sum(block.running > 0 for block in blocks)),
            "page_running_share": share(running, words),
            "page_paragraph_share": share(paragraphs, words),
            "page_type": self.page_type,
            "page_dated": self.dated,
        }

    def _group_features(self, number: int) -> dict[str, int]:
        running = sum(block.running for block in self.blocks)

        def path(block: PlainBlock) -> object:
            return tuple(node.local for node in block.container.chain)

        def like(block: PlainBlock) -> object:
            return tuple(node.local for node in block.container.containers[:2])

        def group(key: Callable[[PlainBlock], object]) -> list[PlainBlock]:
            return [block for block in self.blocks if key(block) == key(self.blocks[number])]

        found = {"same_text": min(255, len(group(lambda block: block.string)))}
        for name, key in (("path", path), ("like", like)):
            members = group(key)
            words = sum(block.words for block in members)
            found |= {
                f"{name}_blocks": steps(len(members)),
                f"{name}_link_density": share(sum(block.link_words for block in members), words),
                f"{name}_mean": steps(words // len(members)),
                f"{name}_running": share(sum(block.running for block in members), words),
                f"{name}_share": share(sum(block.running for block in members), running),
            }
            if name == "path":
                found["path_words"] = steps(words)
        return found

    def _container_features(self, number: int) -> dict[str, int]:
        block = self.blocks[number]
        chain: list[Node | None] = [*block.container.containers, None, None, None, None, None]
        own = block.container
        best = max(self.readability.values())
        found = {
            "own_blocks": steps(len(own.blocks)),
            "own_link_density": share(self.link_words(own), self.words(own)),
            "readability": share(max(self.readability[node] for node in own.containers), best),
        }
        total = sum(one.running for one in self.blocks)
        for name, node in zip(("second", "third", "fourth", "fifth"), chain[1:5], strict=True):
            values = dict.fromkeys("words link_density running blocks mean share readability place".split(), 0)
            if node is not None:
                words = self.words(node)
                values = {
                    "words": steps(words),
                    "link_density": share(self.link_words(node), words),
                    "running": share(self.running(node), words),
                    "blocks": steps(len(node.blocks)),
                    "mean": steps(words // len(node.blocks)),
                    "share": share(self.running(node), total),
                    "readability": share(self.readability[node], best),
                    "place": share(number - node.blocks[0], len(node.blocks)),
                }
            few = ("link_density", "running", "share", "readability")
            found |= {f"{name}_{key}": value for key, value in values.items() if name != "fifth" or key in few}
        for name, target in (("top", self.top), ("half", self.holder(1, 2)), ("most", self.holder(9, 10))):
            up, down = self.distance(own, target)
            side = 0 if number < target.blocks[0] else 2 if number > target.blocks[-1] else 1
            found |= {f"{name}_up": min(255, up), f"{name}_down": min(255, down), f"{name}_side": side}
        return found

    def _neighbour_features(self, number: int) -> dict[str, int]:
        blocks = self.blocks
        found = {}
        sides = (
            (True, ("running_up", "since_running", "since_links")),
            (False, ("running_down", "until_running", "until_links")),
        )
        for forward, names in sides:
            others = blocks[:number] if forward else list(reversed(blocks[number + 1 :]))
            smooth, running, links = 0, 50, 50
            for other in others:
                smooth = (7 * smooth + 48 * other.running) // 10
                running = 0 if other.running else min(50, running + 1)
                links = 0 if 2 * other.link_words > other.words else min(50, links + 1)
            found |= dict(zip(names, (steps(smooth // 16), running, links), strict=True))
        for name, reach in (("near", 2), ("wide", 5), ("broad", 10)):
            window = blocks[max(0, number - reach) : number + reach + 1]
            words = sum(block.words for block in window)
            found[f"{name}_running"] = steps(sum(block.running for block in window))
            found[f"{name}_share"] = share(sum(block.running for block in window), words)
            found[f"{name}_link_density"] = share(sum(block.link_words for block in window), words)
        for name, step in (("second_before", -2), ("second_after", 2), ("before", -1), ("after", 1)):
            other = blocks[number + step] if 0 <= number + step < len(blocks) else None
            found[f"{name}_words"] = steps(other.words) if other else 0
            found[f"{name}_link_density"] = share(other.link_words, other.words) if other else 0
            if abs(step) == 1:
                found |= self._beside(blocks[number], other, name)
        return found

    def _beside(self, block: PlainBlock, other: PlainBlock | None, name: str) -> dict[str, int]:
        if other is None:
            return {f"{name}_last": 0, f"{name}_same": 0, f"{name}_up": 255, f"{name}_down": 255}
        paths = [[node.local for node in one.container.chain] for one in (block, other)]
        up, down = self.distance(block.container, other.container)
        return {
            f"{name}_last": other.marks[-1],
            f"{name}_same": int(paths[0] == paths[1]) + 2 * int(block.container is other.container),
            f"{name}_up": min(255, up),
            f"{name}_down": min(255, down),
        }
