"""Where limits of memory are set, for both versions of control groups."""

from pathlib import Path

import pytest
from support import hard_limits


@pytest.mark.parametrize(("own", "expected"), [("0::/user/session\n", "user"), ("0::/session\n", ""), ("0::/\n", "")])
def test_a_group_of_version_2_is_made_beside_the_own(tmp_path: Path, own: str, expected: str) -> None:
    """Under the root where the process is in the root group."""
    (tmp_path / "cgroup.controllers").write_text("cpu memory")
    (tmp_path / "own").write_text(own)
    assert hard_limits.parent_group(tmp_path, tmp_path / "own") == (tmp_path / expected, "memory.max")


def test_version_1_has_a_hierarchy_for_memory(tmp_path: Path) -> None:
    """It is used where it is mounted."""
    (tmp_path / "memory").mkdir()
    assert hard_limits.parent_group(tmp_path) == (tmp_path / "memory", "memory.limit_in_bytes")


def test_without_limits_the_test_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not pass: no hierarchy, or none that a group can be made in."""
    monkeypatch.setattr(hard_limits, "parent_group", lambda: None)
    with pytest.raises(pytest.skip.Exception, match="mounted"), hard_limits.hard_limit(1 << 30):
        pass
    monkeypatch.setattr(hard_limits, "parent_group", lambda: (tmp_path / "absent", "memory.max"))
    with pytest.raises(pytest.skip.Exception, match="no control group can be made"), hard_limits.hard_limit(1 << 30):
        pass
