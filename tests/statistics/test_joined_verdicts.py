"""Tests for the expressions over joined verdicts."""

from collections.abc import Mapping

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from corpusprep.pipeline import DECIDING
from corpusprep.statistics.joined_verdicts import VERDICT, removal_reason, removed_by
from corpusprep.statistics.keywords import FATES, fate_number
from corpusprep.tables.verdicts import KEPT, MARKS, STAYING

UNITS = st.fixed_dictionaries({stage: st.none() | st.sampled_from(VERDICT.categories.to_list()) for stage in DECIDING})


def removal(unit: Mapping[str, str | None]) -> tuple[str | None, str | None]:
    """The first stage that does not pass a unit on, and its verdict; None if it stays."""
    return next(((stage, unit[stage]) for stage in DECIDING if unit[stage] not in (None, *STAYING)), (None, None))


@given(st.lists(UNITS, max_size=20))
def test_units_are_removed_by_the_first_stage_that_does_not_pass_them_on(units: list[dict[str, str | None]]) -> None:
    """With the verdict of this stage as the reason."""
    rows = pl.DataFrame(units, schema=dict.fromkeys(DECIDING, VERDICT))
    found = rows.select(stage=removed_by(), reason=removal_reason(), fate=fate_number())
    expected = [removal(unit) for unit in units]
    assert found.select("stage", "reason").rows() == expected
    assert [FATES[number] for number in found["fate"]] == [stage or "count_after" for stage, _ in expected]
    assert found["fate"].dtype == pl.UInt8


def test_units_that_stay_have_no_reason() -> None:
    """Kept ones, marked ones, and those that no stage has decided on."""
    units = [dict.fromkeys(DECIDING, KEPT), dict.fromkeys(DECIDING, KEPT) | {"blocks": MARKS["duplicate"]}]
    rows = pl.DataFrame([*units, dict.fromkeys(DECIDING)], schema=dict.fromkeys(DECIDING, VERDICT))
    assert rows.select(removed_by(), reason=removal_reason()).rows() == [(None, None)] * 3
