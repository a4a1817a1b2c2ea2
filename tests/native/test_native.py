"""The extension is there, is loaded by one module only, says why where it cannot be loaded, and has a true stub."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import exactgeo
from exactgeo import native

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "exactgeo" / "native"


def test_it_was_built() -> None:
    """``make`` builds it; the product works without, the suite does not pass without."""
    assert native.why_not() is None
    assert native.core.version == exactgeo.__version__


def test_its_floating_point_is_what_the_proofs_assume() -> None:
    assert native.core.self_test() is None


def test_other_names_are_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'cores'"):
        _ = native.cores  # type: ignore[attr-defined]


MODES = {
    # <fenv.h> on x86-64: FE_DOWNWARD 0x400, FE_UPWARD 0x800, FE_TOWARDZERO 0xc00.
    "downward": ("libm.fesetround(0x400)", "rounding is not to nearest"),
    "upward": ("libm.fesetround(0x800)", "rounding is not to nearest"),
    "towards zero": ("libm.fesetround(0xc00)", "rounding is not to nearest"),
    # The 32 bytes of fenv_t end in MXCSR: bit 15 flushes results to zero, bit 6 takes small operands for zero.
    "flush results": ("flush(1 << 15)", "flushed to zero"),
    "flush operands": ("flush(1 << 6)", "flushed to zero"),
}

SET_MODE = """
import ctypes
from exactgeo import errors, native
libm = ctypes.CDLL("libm.so.6")
def flush(bit):
    environment = (ctypes.c_uint32 * 8)()
    libm.fegetenv(environment)
    environment[7] |= bit
    libm.fesetenv(environment)
{mode}
try:
    native.why_not()
except errors.UnsoundFloats as error:
    print(error)
"""


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the layout of fenv_t is that of x86-64")
@pytest.mark.parametrize("mode", MODES)
def test_unsound_floats_are_refused(mode: str) -> None:
    """A rounding mode or a library built with -ffast-math may have changed the processor's state before we come."""
    change, told = MODES[mode]
    assert told in _python(SET_MODE.format(mode=change))


def _python(program: str, **environment: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout


def test_why_not_where_it_was_not_built() -> None:
    hidden = "import sys; sys.modules['exactgeo.native._core'] = None; from exactgeo import native; "
    assert _python(hidden + "print(native.why_not())") == (
        "the native core was not built: no exactgeo.native._core for this Python\n"
    )
    assert "was not built" in _python(
        hidden + "\ntry: native.core\nexcept ImportError as error: print(error)",
    )


def test_why_not_where_it_cannot_be_loaded(tmp_path: Path) -> None:
    """EXACTGEO_NATIVE comes first, and what is there is no library."""
    (tmp_path / "_core.so").write_bytes(b"")
    suffix = "import importlib.machinery as m; print(m.EXTENSION_SUFFIXES[0])"
    (tmp_path / f"_core{_python(suffix).strip()}").write_bytes(b"")
    told = _python("from exactgeo import native; print(native.why_not())", EXACTGEO_NATIVE=str(tmp_path))
    assert re.fullmatch(r"the native core cannot be loaded: .*file too short\n", told)


def test_importing_the_package_does_not_load_it() -> None:
    program = "import sys, exactgeo.native; print('exactgeo.native._core' in sys.modules)"
    assert _python(program) == "False\n"


def test_one_module_imports_it() -> None:
    """The import contracts see Python files only, and this is none."""
    importers = []
    for path in [*ROOT.glob("exactgeo/**/*.py"), *ROOT.glob("tests/**/*.py"), *ROOT.glob("benchmarks/**/*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            if any("_core" in f"{module}.{name}".split(".") for name in names):
                importers.append(path.relative_to(ROOT))
    assert {str(path) for path in importers} == {"exactgeo/native/__init__.py"}


def test_the_stub_is_true(tmp_path: Path) -> None:
    """``make native`` writes it, by this command."""
    pytest.importorskip("nanobind")
    written = tmp_path / "_core.pyi"
    command = [
        "-m",
        "nanobind.stubgen",
        "--quiet",
        "--exclude-values",
        "-m",
        "exactgeo.native._core",
        "-o",
        str(written),
    ]
    subprocess.run([sys.executable, *command], cwd=ROOT, check=True)
    assert written.read_text(encoding="utf-8") == (FOLDER / "_core.pyi").read_text(encoding="utf-8")


def test_every_name_has_words() -> None:
    for name in dir(native.core):
        if not name.startswith("_") and callable(getattr(native.core, name)):
            assert getattr(native.core, name).__doc__, name


def test_headers_know_no_python() -> None:
    """Of the sources, the binding alone includes nanobind; integers.hpp alone may include GMP."""
    sources = {path.name: path.read_text(encoding="utf-8") for path in (FOLDER / "src").iterdir()}
    binding = {name for name in sources if re.fullmatch(r"module.cpp|bind.*", name)}
    assert {
        name for name, text in sources.items() if re.search(r"#include [<\"](nanobind|Python|bind)", text)
    } == binding
    assert {name for name, text in sources.items() if "#include <gmp" in text} <= {"integers.hpp"}
