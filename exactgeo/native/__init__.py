"""The native core, compiled from ``src``: this module is the only one that imports it.

``why_not()`` is None where the core was built, else one line that says why it cannot be used; pure Python does the work
then. ``core`` is the extension module itself, with its types in ``_core.pyi``. Either loads it, once, in a few
milliseconds; importing this module does not.

>>> from exactgeo import native
>>> if native.why_not() is None:
...     assert native.core.self_test() is None

The core proves its floating-point errors for IEEE doubles, rounded to nearest, no product fused with a sum, nothing
flushed to zero. Whether the processor is set to that is tested when the core is loaded; where it is not, nothing that
the core says could be trusted, and ``UnsoundFloats`` is raised.

``EXACTGEO_NATIVE=FOLDER`` in the environment has the extension loaded from there: a build with sanitizers, say.
"""

import os

from exactgeo.errors import UnsoundFloats

TYPE_CHECKING = False  # as in typing, which need not be loaded for it

if TYPE_CHECKING:
    from types import ModuleType

    from exactgeo.native import _core as core

__all__ = ["core", "why_not"]

_tried: "list[ModuleType | str]" = []
"""Empty before the first use; then the extension, or why there is none."""

if os.environ.get("EXACTGEO_NATIVE"):
    __path__.insert(0, os.environ["EXACTGEO_NATIVE"])


def why_not() -> str | None:
    """Why the core cannot be used, in one line; None where it can.

    Raises
    ------
    UnsoundFloats
        The core is there and this machine's floating point is not what its proofs assume.
    """
    found = _load()
    return found if isinstance(found, str) else None


def _load() -> "ModuleType | str":
    if not _tried:
        from importlib import import_module

        try:
            found = import_module("exactgeo.native._core")
        except ModuleNotFoundError:
            _tried.append("the native core was not built: no exactgeo.native._core for this Python")
        except ImportError as problem:  # a build for another machine, or libgmp is missing
            _tried.append(f"the native core cannot be loaded: {' '.join(str(problem).split())}")
        else:
            fault = found.self_test()
            if fault is not None:
                raise UnsoundFloats(f"the native core cannot compute here: {fault}")
            _tried.append(found)
    return _tried[0]


if not TYPE_CHECKING:  # a type checker knows the name from above

    def __getattr__(name: str) -> object:
        if name != "core":
            raise AttributeError(f"module 'exactgeo.native' has no attribute {name!r}")
        found = _load()
        if isinstance(found, str):
            raise ImportError(found, name="exactgeo.native._core")
        globals()["core"] = found
        return found
