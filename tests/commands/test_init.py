"""`corpusprep init` writes what `corpusprep build` takes."""

import re
from pathlib import Path

import pytest
import yaml
from support.running import REPOSITORY

from corpusprep.commands.application import main
from corpusprep.config.settings import load_schema, resolve


def init(*arguments: str) -> int:
    """Runs the command; returns its exit code."""
    with pytest.raises(SystemExit) as end:
        main(["init", *arguments])
    return int(str(end.value.code))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, empty."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_config_has_what_was_said(capsys: pytest.CaptureFixture[str]) -> None:
    """Its archives are found from its folder, and the next command stands at the end."""
    archives = [word for entry in ("crawl/*.gz", "!@not.txt", "/a") for word in ("--archives", entry)]
    assert init("my news", "--language", "no", *archives) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Written: my news/config.yaml, my news/profiles/default/config.yaml.",
        "Next: cd 'my news' && corpusprep build",
    ]
    config = yaml.safe_load(Path("my news/config.yaml").read_text(encoding="utf-8"))
    assert config == {"corpora": {"my-news": {"language": "no", "archives": ["../crawl/*.gz", "!../@not.txt", "/a"]}}}


def test_every_comment_is_a_setting_with_its_default() -> None:
    """Without its marks, the file is a config of the same meaning."""
    assert init() == 0
    text = Path("config.yaml").read_text(encoding="utf-8")
    plain = yaml.safe_load(text)
    opened = yaml.safe_load(re.sub(r"^# (?=[\w# ]*[\w#]+:? ?)(?!Some|What|default)", "", text, flags=re.MULTILINE))
    assert len(opened) >= 8
    schema = load_schema()
    assert resolve(opened, schema, checked=False) == resolve(plain, schema, checked=False)


def test_several_languages_divide_a_crawl() -> None:
    """So does `all`."""
    assert init("two", "--language", "cs", "--language", "sk", "--name", "mine") == 0
    assert init("every", "--language", "all") == 0
    two, every = (yaml.safe_load(Path(name, "config.yaml").read_text(encoding="utf-8")) for name in ("two", "every"))
    assert two["corpora"]["mine"]["languages"] == ["cs", "sk"]
    assert every["corpora"]["every"]["languages"] == "all"


def test_the_profile_is_of_the_machine_or_of_slurm() -> None:
    """The workflow's own, with the memory of this machine."""
    assert init("here") == 0
    assert init("there", "--slurm") == 0
    texts = [Path(name, "profiles/default/config.yaml").read_text(encoding="utf-8") for name in ("here", "there")]
    assert all(text.startswith("# Settings of Snakemake for the runs in this folder") for text in texts)
    assert not any("workflow/profiles" in text or "my.yaml" in text for text in texts)
    here, there = map(yaml.safe_load, texts)
    shipped = REPOSITORY / "workflow" / "profiles"
    default = yaml.safe_load((shipped / "default" / "config.yaml").read_text(encoding="utf-8"))
    assert here["resources"].pop("mem_mb") > 100
    assert here.pop("cores") == "all"
    assert here == default
    assert there == yaml.safe_load((shipped / "slurm" / "config.yaml").read_text(encoding="utf-8"))


def test_the_sample_is_a_crawl_with_its_config() -> None:
    """Four archives."""
    assert init("demo", "--sample") == 0
    config = yaml.safe_load(Path("demo/config.yaml").read_text(encoding="utf-8"))
    assert config["corpora"]["sample"]["languages"] == ["en", "cs"]
    assert len(list(Path("demo").glob(config["corpora"]["sample"]["archives"][0]))) == 4


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--language", "xx"], "unknown language 'xx'"),
        (["--name", "a b"], "corpora.a b: "),
        (["--sample", "--language", "en"], "--sample has its own languages and archives"),
    ],
)
def test_a_mistake_writes_nothing(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line says it."""
    assert init("new", *arguments) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert said in line
    assert not Path("new").exists()


def test_nothing_is_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    """A config, or a profile."""
    Path("profiles/default").mkdir(parents=True)
    Path("profiles/default/config.yaml").touch()
    assert init() == 1
    assert "profiles/default/config.yaml: is there already" in capsys.readouterr().err
    assert not Path("config.yaml").exists()
