"""The command line: ``exactgeo count | cells | at | theorem``.

Exit codes: 0 done; 1 the answer is no (a theorem fails, a point lies on a wall, two methods disagree); 2 bad input or a
budget that is used up; 130 Ctrl-C, 143 SIGTERM or SIGHUP. What goes wrong is told in one line on stderr, never as a
traceback; an unfinished count is told as what it proves, a lower bound, and a count that was complete before its
certificate was as what it is. Parsing and printing are done here; ``exactgeo.counting`` counts.
"""

import io
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from exactgeo.cli.arguments import parse
from exactgeo.cli.job import Job, Terminated, complain, signals, unfinished
from exactgeo.errors import BudgetExceeded, ExactgeoError, Inconsistent

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller, as in ``exactgeo ... >&-``
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        if isinstance(stream := getattr(sys, name), io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that cannot show a file's name
    sys.set_int_max_str_digits(0)  # input is bounded where it is read; exact output may be longer than 4300 digits
    job = Job(parse(list(sys.argv[1:] if argv is None else argv)))
    try:
        with signals(job):
            return _run(job)
    except BrokenPipeError:
        _drop_output()  # the reader has gone, as in ``| head``: nothing more to say
        return 0
    except OSError as error:
        _drop_output()  # files report their own troubles as BadInput, so this is stdout
        return complain(f"cannot write the answer: {error.strerror}", 2)


def _run(job: Job) -> int:
    try:
        code: int = job.arguments.run(job)
        sys.stdout.flush()
        return code
    except (BudgetExceeded, KeyboardInterrupt, MemoryError) as stop:
        return _stopped(job, stop)
    except OSError:
        raise
    except Exception as error:
        # What is being imported may turn a stop into an error of its own.
        behind = _stop_behind(error)
        return _failed(job, error) if behind is None else _stopped(job, behind)


def _stopped(job: Job, stop: BaseException) -> int:
    if isinstance(stop, BudgetExceeded):
        return unfinished(job, f"stopped by {stop.reason}", 2)
    if isinstance(stop, Terminated):
        return unfinished(job, "terminated", 128 + signal.SIGTERM)
    if isinstance(stop, KeyboardInterrupt):
        return unfinished(job, "interrupted", 128 + signal.SIGINT)
    return unfinished(job, "out of memory", 2)


def _stop_behind(error: BaseException) -> BaseException | None:
    """The stop that an error was made of, if any."""
    behind: BaseException | None = error
    while behind is not None and not isinstance(behind, (BudgetExceeded, KeyboardInterrupt)):
        behind = behind.__cause__ or behind.__context__
    return behind


def _failed(job: Job, error: Exception) -> int:
    job.finish()
    if isinstance(error, Inconsistent):
        return complain(f"defect in exactgeo, please report it: {error}", 1)
    if isinstance(error, ExactgeoError):
        return complain(str(error), 2)
    # The last resort: a defect is told in one line with its place, not as a traceback.
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace is not None else ""
    return complain(f"defect in exactgeo, please report it: {place} {type(error).__name__}: {error}"[:1000], 2)


def _drop_output() -> None:
    """Let Python close stdout in peace, with whatever is still in its buffer."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
