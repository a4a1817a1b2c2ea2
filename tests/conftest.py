"""Hypothesis profiles: the suite is the same on every run; HYPOTHESIS_PROFILE=search looks further. And Ctrl-C works.

``deterministic`` (the default) draws the same examples every time and has no deadline, since exact arithmetic on an
unlucky example may be slow without being wrong. ``search`` draws new and more examples on every run.
"""

import os
import signal

from hypothesis import HealthCheck, settings

settings.register_profile(
    "deterministic",
    derandomize=True,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("search", parent=settings.get_profile("deterministic"), derandomize=False, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "deterministic"))

# A shell that runs the suite in the background has Ctrl-C ignored, and commands that are started would inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
