"""What pip installs: the wheel has the extension, types and FORMAT.md, and no C++; the source archive has the C++."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import exactgeo

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive, packed and unpacked."""
    pytest.importorskip("scikit_build_core")
    folder = tmp_path_factory.mktemp("sdist")
    _build("sdist", ROOT, folder)
    (archive,) = folder.glob("*.tar.gz")
    subprocess.run(["tar", "-xzf", archive], cwd=folder, check=True)
    return folder / f"exactgeo-{exactgeo.__version__}"


def _build(kind: str, source: Path, folder: Path) -> None:
    program = f"from scikit_build_core import build; build.build_{kind}({str(folder)!r})"
    ran = subprocess.run([sys.executable, "-c", program], cwd=source, check=False, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def _python_files() -> set[str]:
    return {
        str(path.relative_to(ROOT)) for name in ("exactgeo", "proofs_check") for path in (ROOT / name).rglob("*.py")
    }


def test_the_source_archive(unpacked: Path) -> None:
    names = {str(path.relative_to(unpacked)) for path in unpacked.rglob("*") if path.is_file()}
    native = ROOT / "exactgeo" / "native"
    sources = {str(path.relative_to(ROOT)) for path in (native / "src").iterdir()}
    assert sources
    assert names >= sources | _python_files()
    assert names >= {
        "LICENSE",
        "Makefile",
        "exactgeo/native/CMakeLists.txt",
        "proofs_check/FORMAT.md",
        "pyproject.toml",
    }
    assert not [name for name in names if name.endswith((".a", ".o", ".so"))]


def test_the_wheel(unpacked: Path, tmp_path: Path) -> None:
    """Built from the source archive, which therefore lacks nothing."""
    _build("wheel", unpacked, tmp_path)
    (archive,) = tmp_path.glob("*.whl")
    names = {name for name in zipfile.ZipFile(archive).namelist() if ".dist-info/" not in name}
    others = sorted(names - _python_files())
    extension = others.pop(0)
    assert extension.startswith("exactgeo/native/_core.")
    assert extension.endswith(".so")
    assert others == [
        "exactgeo/native/_core.pyi",
        "exactgeo/py.typed",
        "proofs_check/FORMAT.md",
        "proofs_check/py.typed",
    ]
    assert _python_files() <= names
