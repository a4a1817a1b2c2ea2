"""``python -m exactgeo``, and the command ``exactgeo``.

Loading the program takes a good part of a second, in which nothing is under way yet: a stop then is told in one line,
and the process is gone. What is imported before that is as little as possible.
"""

import os
import signal
import sys

__all__ = ["main"]

STOPS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated", signal.SIGHUP: "terminated"}


def main() -> int:
    """Run the command line; the exit code."""
    for number in STOPS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _stop)
    try:
        from exactgeo.cli import main as run

        return run()
    finally:
        for number in STOPS:  # the answer is out
            signal.signal(number, signal.SIG_IGN)


def _stop(signum: int, frame: object) -> None:
    """Leave at once: an exception might be swallowed by whatever is being imported."""
    word = STOPS[signal.Signals(signum)]
    try:
        os.write(2, f"exactgeo: {word} while starting\n".encode())
    finally:
        os._exit(128 + (signal.SIGINT if word == "interrupted" else signal.SIGTERM))


if __name__ == "__main__":
    sys.exit(main())
