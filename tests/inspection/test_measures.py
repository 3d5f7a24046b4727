"""Measures of dispersion, keyness and association: against their formulas, and examples that were published."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep.inspection import association, keyness
from corpusprep.inspection.association import Pairs
from corpusprep.inspection.dispersion import average_reduced_frequency, deviation_of_proportions
from corpusprep.inspection.keyness import Frequencies

TOKENS = 60
places = st.sampled_from([1, 2, 3, 4, 5, 6, 10, 12, 15, 20]).flatmap(
    lambda count: st.sets(st.integers(0, TOKENS - 1), min_size=count, max_size=count).map(sorted)
)


@given(st.lists(places, min_size=1, max_size=4))
def test_average_reduced_frequency(of_items: list[list[int]]) -> None:
    """By its definition: the text is a circle that is cut into as many segments as the item has occurrences.

    It is the number of segments that have the item, on average over all places where the first cut may be.
    """
    items = np.repeat(np.arange(len(of_items)), [len(at) for at in of_items])
    got = average_reduced_frequency(items, np.concatenate(of_items), TOKENS)
    for arf, at in zip(got, of_items, strict=True):
        length = TOKENS // len(at)
        with_item = [len({(place - cut) % TOKENS // length for place in at}) for cut in range(TOKENS)]
        assert arf == pytest.approx(sum(with_item) / TOKENS)


def test_even_and_clumped_items() -> None:
    """An item at equal distances has its frequency, one at one place little more than 1."""
    even, clumped = np.arange(0, 1000, 100), np.arange(10)
    items = np.repeat([0, 1], 10)
    assert average_reduced_frequency(items, np.concatenate([even, clumped]), 1000).tolist() == pytest.approx([10, 1.09])
    assert average_reduced_frequency(items[:0], even[:0], 1000).tolist() == []


def test_deviation_of_proportions() -> None:
    """The example of Gries (2008, 4.1): parts of 9 to 11 hundredths, and one that has all occurrences of a word."""
    sizes = np.array([9, 10, 10, 10, 11]) * 1000
    spread = deviation_of_proportions(np.zeros(5, int), np.array([9, 10, 10, 10, 11]), np.arange(5), sizes)
    assert spread[0] == pytest.approx(0)
    alone = deviation_of_proportions(np.zeros(1, int), np.array([7]), np.array([4]), sizes)
    assert alone[0] == pytest.approx(1 - 11 / 50)


@given(st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any), st.permutations([5, 10, 25]))
def test_deviation_is_half_the_sum_of_differences(counts: list[int], sizes: list[int]) -> None:
    """Over all parts, also those that do not have the item."""
    there = [part for part, count in enumerate(counts) if count]
    got = deviation_of_proportions(
        np.zeros(len(there), int), np.array([counts[part] for part in there]), np.array(there), np.array(sizes)
    )
    shares = zip(counts, sizes, strict=True)
    expected = sum(abs(count / sum(counts) - size / sum(sizes)) for count, size in shares) / 2
    assert got[0] == pytest.approx(expected)


def of(count: float, tokens: float) -> Frequencies:
    """A frequency without a variance."""
    return Frequencies(np.array([count]), tokens)


def test_log_likelihood_of_two_corpora() -> None:
    """The formula of Rayson and Garside (2000); the sign says where the word is more frequent."""
    got = keyness.log_likelihood(of(50, 10_000), of(20, 20_000))[0][0]
    expected = 2 * (50 * math.log(50 / (10_000 * 70 / 30_000)) + 20 * math.log(20 / (20_000 * 70 / 30_000)))
    assert got == pytest.approx(expected)
    assert keyness.log_likelihood(of(20, 20_000), of(50, 10_000))[0][0] == pytest.approx(-expected)
    assert keyness.log_likelihood(of(10, 1000), of(0, 1000))[0][0] == pytest.approx(20 * math.log(2))


def test_effect_sizes() -> None:
    """Log ratio: 1 per doubling (Hardie 2014). Simple maths: (fpm + 1) / (fpm + 1) (Kilgarriff 2009)."""
    assert keyness.log_ratio(of(40, 1000), of(10, 1000))[0][0] == pytest.approx(2)
    assert keyness.log_ratio(of(40, 1000), of(0, 2000))[0][0] == pytest.approx(math.log2(0.04 / (0.5 / 2000)))
    assert keyness.simple_maths(of(35, 1e6), of(5, 1e6))[0][0] == pytest.approx(6)
    assert keyness.simple_maths(of(3, 1e6), of(0, 1e6))[0][0] == pytest.approx(4)


hosts = st.lists(st.tuples(st.integers(0, 20), st.integers(20, 100)), min_size=2, max_size=6)


@given(hosts)
def test_variance_over_hosts(drawn: list[tuple[int, int]]) -> None:
    """That of a ratio of sums over hosts (Cochran 1977): from sums alone, as from each host."""
    counts, sizes = np.array(drawn).T
    share = counts.sum() / sizes.sum()
    expected = ((counts - share * sizes) ** 2).sum() * len(drawn) / (len(drawn) - 1) / sizes.sum() ** 2
    got = keyness.variance_over_hosts(
        np.array([counts.sum()]),
        np.array([(counts**2).sum()]),
        np.array([(counts * sizes).sum()]),
        int(sizes.sum()),
        len(drawn),
        float((sizes**2).sum()),
    )
    assert got[0] == pytest.approx(expected, abs=1e-12)


def test_one_host_gives_no_variance() -> None:
    """Nothing is known of how others would differ."""
    assert np.isnan(keyness.variance_over_hosts(np.array([3]), np.array([9]), np.array([30]), 10, 1, 100.0)[0])


@pytest.mark.parametrize("name", list(keyness.MEASURES))
def test_intervals_hold_what_is_true(name: str) -> None:
    """About 95 % of intervals hold the measure of all hosts, where hosts are drawn from many, and words clump."""
    rng = np.random.default_rng(7)
    sizes = rng.integers(500, 1500, size=4000)
    rates = rng.gamma(0.5, 0.004, size=4000)
    there = rng.gamma(0.5, 0.002, size=4000)
    inside = 0
    for _ in range(300):
        sides = []
        for rate in (rates, there):
            drawn = rng.integers(0, 4000, size=200)
            counts, of_hosts = rng.poisson(rate[drawn] * sizes[drawn]), sizes[drawn]
            total = int(of_hosts.sum())
            variance = keyness.variance_over_hosts(
                np.array([counts.sum()]),
                np.array([(counts**2).sum()]),
                np.array([(counts * of_hosts).sum()]),
                total,
                200,
                float((of_hosts**2).sum()),
            )
            sides.append(Frequencies(np.array([float(counts.sum())]), total, variance))
        value, spread = keyness.MEASURES[name](*sides)
        low, high = keyness.interval(name, value, spread)
        shares = (float((rate * sizes).sum() / sizes.sum()) for rate in (rates, there))
        true = [of(share * side.tokens, side.tokens) for share, side in zip(shares, sides, strict=True)]
        inside += bool(low[0] <= keyness.MEASURES[name](*true)[0][0] <= high[0])
    assert 0.90 < inside / 300 < 0.99


def test_association() -> None:
    """Each measure by its formula, for one pair."""
    pairs = Pairs(np.array([20.0]), 100.0, np.array([50.0]), 1_000_000.0, 1000.0)
    expected = 1000 * 50 / 1_000_000
    assert association.log_dice(pairs)[0] == pytest.approx(14 + math.log2(2 * 20 / 150))
    assert association.cubed_information(pairs)[0] == pytest.approx(math.log2(20**3 / expected))
    assert association.t_score(pairs)[0] == pytest.approx((20 - expected) / math.sqrt(20))


def test_log_dice_is_at_most_14() -> None:
    """For two words that only occur together (Rychlý 2008); 1 point less is half as often."""
    pairs = Pairs(np.array([40.0, 20.0]), 40.0, np.array([40.0, 40.0]), 1e9, 40.0)
    assert association.log_dice(pairs).tolist() == [14, 13]


def test_log_likelihood_of_dunning() -> None:
    """The pair `the swiss` of Dunning (1993, table 2): k = 110, 2,442, 111 and 29,114 give 270.72."""
    pairs = Pairs(np.array([110.0]), 2552.0, np.array([221.0]), 31777.0, 2552.0)
    assert association.log_likelihood(pairs)[0] == pytest.approx(270.72, abs=0.01)
    rare = Pairs(np.array([1.0]), 1000.0, np.array([500.0]), 10_000.0, 1000.0)
    assert association.log_likelihood(rare)[0] < 0
