"""The package as it is installed: what is in it, start-up, the cache of compiled code, hostile places to live."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
QUESTION = "from potshare import equity; print(equity('AcAs', 'KhKd', board='Th9h2c').players[0].counts['win'])"
ANSWER = "848"


def python(
    code: str, *, path: str | None = None, status: int = 0, user: int | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Runs code in a fresh interpreter far from the checkout."""
    env = {**os.environ, **environment}
    if path:
        env["PYTHONPATH"] = path
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=600, cwd="/", env=env, user=user
    )
    assert done.returncode == status, done.stderr
    return done


def test_every_folder_with_modules_is_a_listed_package() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    folders = {
        "potshare" + "".join(f".{part}" for part in file.parent.relative_to(ROOT).parts)
        for top in ("", "bench", "evaluator", "simulate", "tables")
        for file in ((ROOT / top).glob("*.py") if not top else (ROOT / top).rglob("*.py"))
    }
    assert sorted(settings["packages"]) == sorted(folders)
    for package in folders - {"potshare"}:
        assert settings["package-dir"][package] == package.removeprefix("potshare.").replace(".", "/")


def test_imports_run_one_way() -> None:
    order = ["errors", "kernel", "tables", "evaluator", "simulate"]
    for place, layer in enumerate(order):
        files = [ROOT / f"{layer}.py"] if place < 2 else list((ROOT / layer).rglob("*.py"))
        above = [*order[place + 1 :], "cli", "bench"]
        for file in files:
            text = file.read_text("utf-8")
            for other in above:
                assert f"from potshare.{other} " not in text, (file, other)
                assert f"from potshare.{other}." not in text, (file, other)


def test_only_the_two_numba_modules_import_numba() -> None:
    for folder in ("", "tables", "evaluator", "simulate", "bench"):
        for file in (ROOT / folder).glob("*.py") if not folder else (ROOT / folder).rglob("*.py"):
            if file.name in ("kernel.py", "llvm.py", "startup.py") or file.name.startswith("test_"):
                continue
            for line in file.read_text("utf-8").splitlines():
                assert not line.startswith(("import numba", "from numba")), (file, line)


def test_importing_the_package_is_light() -> None:
    code = "import sys, potshare; assert not {'numba', 'numpy', 'click', 'rich'} & set(sys.modules)"
    python(code)


def test_every_public_name_exists() -> None:
    import potshare

    for name in potshare.__all__:
        assert getattr(potshare, name) is not None
    with pytest.raises(AttributeError, match="no attribute"):
        potshare.nothing  # noqa: B018


def test_compiled_code_is_kept_and_used_again(tmp_path: Path) -> None:
    python(QUESTION, POTSHARE_CACHE_DIR=str(tmp_path))
    kept = sorted(tmp_path.rglob("*.nbi"))
    assert kept
    before = {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*") if file.is_file()}
    code = QUESTION + "; from potshare.kernel import KERNELS; print(sum(bool(k.stats.cache_misses) for k in KERNELS))"
    out = python(code, POTSHARE_CACHE_DIR=str(tmp_path)).stdout.split()
    assert out == [ANSWER, "0"]
    assert {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*") if file.is_file()} == before


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda raw: b"",
    "rubbish": lambda raw: b"rubbish",
    "half": lambda raw: raw[: len(raw) // 2],
    "one bit": lambda raw: raw[: len(raw) // 2] + bytes([raw[len(raw) // 2] ^ 1]) + raw[len(raw) // 2 + 1 :],
}


@pytest.mark.parametrize("files", ["*.nbc", "*.nb?"])
@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_cache_entries_count_as_missing(tmp_path: Path, damage: str, files: str) -> None:
    python(QUESTION, POTSHARE_CACHE_DIR=str(tmp_path))
    good = {file: file.read_bytes() for file in tmp_path.rglob(files)}
    for file, raw in good.items():
        file.write_bytes(DAMAGE[damage](raw))
    code = QUESTION + "; from potshare.kernel import KERNELS; print(sum(bool(k.stats.cache_hits) for k in KERNELS))"
    # Machine code of which a bit has changed is not run, whatever it would do.
    assert python(code, POTSHARE_CACHE_DIR=str(tmp_path)).stdout.split() == [ANSWER, "0"]
    again = QUESTION + "; from potshare.kernel import KERNELS; print(sum(bool(k.stats.cache_misses) for k in KERNELS))"
    assert python(again, POTSHARE_CACHE_DIR=str(tmp_path)).stdout.split() == [ANSWER, "0"]


def test_two_processes_may_compile_at_once(tmp_path: Path) -> None:
    env = {**os.environ, "POTSHARE_CACHE_DIR": str(tmp_path)}
    running = [
        subprocess.Popen(
            [sys.executable, "-c", QUESTION], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, cwd="/"
        )
        for _ in range(2)
    ]
    try:
        said = [process.communicate(timeout=600) for process in running]
    finally:
        for process in running:
            process.kill()
            process.communicate()
    assert [(out.decode().strip(), err) for out, err in said] == [(ANSWER, b"")] * 2


def test_nothing_writable_gives_one_warning_and_the_answer(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")  # a file where the folder should be, which stops root too
    done = python(QUESTION, POTSHARE_CACHE_DIR=str(blocked))
    assert done.stdout.strip() == ANSWER
    assert done.stderr.count("CacheWarning") == 1
    assert "POTSHARE_CACHE_DIR" in done.stderr


def test_read_only_installation_and_no_home(tmp_path: Path) -> None:
    site, home = tmp_path / "site", tmp_path / "home"
    ignored = shutil.ignore_patterns(".*", "build", "tests", "__pycache__", "*.egg-info")
    shutil.copytree(ROOT, site / "potshare", ignore=ignored)
    home.mkdir()
    for path in [site, home, *site.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    command = [sys.executable, "-c", QUESTION]
    if os.geteuid() == 0:
        # Permissions do not stop root; root without capabilities they do.
        if not shutil.which("setpriv"):
            pytest.skip("root, and no setpriv to drop capabilities")
        command = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", *command]
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("POTSHARE", "XDG", "NUMBA"))}
    environment |= {"HOME": str(home), "PYTHONPATH": str(site), "TMPDIR": str(home)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, cwd="/", env=environment)
    assert done.stdout.strip() == ANSWER, done.stderr
    assert done.stderr.count("CacheWarning") == 1
    assert not list(home.iterdir())


def test_wheel_holds_everything(tmp_path: Path) -> None:
    pytest.importorskip("setuptools", minversion="77")
    source = tmp_path / "source"
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(".*", "build", "__pycache__", "*.egg-info"))
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-q", "-w", str(tmp_path), "."],
        cwd=source, check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "potshare/py.typed" in names
    assert "potshare/simulate/games/holdem.toml" in names
    assert not [n for n in names if "test" in n and not n.startswith("potshare/bench/")]
    sizes = {i.filename: i.compress_size for i in zipfile.ZipFile(wheel).infolist()}
    assert sum(size for name, size in sizes.items() if "/data/" in name) < 4 << 20
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    code = f"import potshare; assert potshare.__file__.startswith({str(site)!r}), potshare.__file__; " + QUESTION
    assert python(code, path=str(site)).stdout.strip() == ANSWER
    done = subprocess.run(
        [sys.executable, "-m", "potshare", "equity", "AA", "KK"],
        capture_output=True, text=True, cwd="/", env={**os.environ, "PYTHONPATH": str(site)},
    )  # fmt: skip
    assert "81.95%" in done.stdout, done.stderr


def test_each_kernel_keeps_one_signature() -> None:
    code = (
        "from potshare import equity\n"
        "from potshare.kernel import KERNELS\n"
        "for game, hands in (('holdem', ('AA', 'KK')), ('omaha8', ('AsAd2c3d', 'KsKdQcJc'))):\n"
        "    for board in ('', '7c8h9d', '7c8h9d2s', '7c8h9d2s2h'):\n"
        "        for method in ('exact', 'monte-carlo'):\n"
        "            deals = 1000 if method == 'monte-carlo' else None\n"
        "            equity(*hands, game=game, board=board, method=method, deals=deals)\n"
        "equity('AA', 'random', 'KK', board='7c8h9d')\n"
        "equity('22+', 'KQ@30,A2+')\n"
        "used = [k for k in KERNELS if k.signatures]\n"
        "assert len(used) > 5\n"
        "many = {k.__name__: len(k.signatures) for k in used if len(k.signatures) > 1}\n"
        "assert not many, many\n"
    )
    python(code)
