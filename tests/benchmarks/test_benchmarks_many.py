"""The figures of ``count_many`` are those of networks that ``count`` counts alike."""

import pytest

from benchmarks.many import CASES, main


def test_all_cases_agree(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--share", "0.001", "--workers", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()[1:]
    assert len(lines) == len(CASES)
    for line in lines:
        agree, number = line.split()[-1].split("/")
        assert agree == number != "0"
