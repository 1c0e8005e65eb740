"""Output files that appear whole or not at all.

Where the system allows it (Linux, most file systems) an output has no name until it is whole, so that a process that
is killed leaves nothing behind. Elsewhere it is written beside its target under a hidden name, which a process that
is killed at once (SIGKILL, a power cut) leaves there.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import tempfile
from pathlib import Path
from typing import IO

from potshare.errors import PotshareError

_OPEN_FILES = "/proc/self/fd"
_HIDDEN, _PART = ".potshare-", ".part"


def nameless() -> bool:
    """Whether files without a name can be opened by others of this process, by `path_of`."""
    return hasattr(os, "O_TMPFILE") and os.path.isdir(_OPEN_FILES)


def path_of(file: IO[bytes]) -> str:
    """A path that leads to an open file, whatever its name, as long as it is open."""
    return f"{_OPEN_FILES}/{file.fileno()}"


def cannot(action: str, name: str | Path, error: OSError) -> PotshareError:
    """What the system said, as a message of the package."""
    return PotshareError(f"{name} cannot be {action}: {error.strerror or error}")


class Target:
    """An output file that appears whole or not at all, by the name of `path`, or of what this links to.

    Devices and pipes are written as they are. Use as a context: `file` is open for writing, and `beside` a path that
    leads to what is written. Leaving it by an exception leaves nothing. Raises `PotshareError` where a file cannot
    be written.
    """

    def __init__(self, path: str | Path) -> None:
        self.name = path
        self.path = os.path.realpath(path)
        try:
            mode = os.stat(self.path).st_mode
        except FileNotFoundError:
            mode = None
        except OSError as error:
            raise cannot("written", path, error) from None
        if mode is not None and stat.S_ISDIR(mode):
            raise PotshareError(f"{path} cannot be written: it is a folder; name a file")
        self._direct = mode is not None and not stat.S_ISREG(mode)
        self._mode = None if mode is None else stat.S_IMODE(mode)
        self._folder, self._base = os.path.split(self.path)
        self._hidden = ""
        self.beside = self.path
        self.file: IO[bytes]

    def __enter__(self) -> Target:
        try:
            if self._direct:
                self.file = open(self.path, "wb")
            elif not self._open_nameless():
                handle, self._hidden = tempfile.mkstemp(prefix=_HIDDEN, suffix=_PART, dir=self._folder)
                self.file = os.fdopen(handle, "wb")
                self.beside = self._hidden
        except OSError as error:
            raise cannot("written", self.name, error) from None
        return self

    def _open_nameless(self) -> bool:
        if not nameless():
            return False
        try:
            handle = os.open(self._folder, os.O_TMPFILE | os.O_RDWR, 0o600)
        except OSError:
            # Not on this file system; whatever else is wrong is found when a file is made with a name.
            return False
        self.file = os.fdopen(handle, "wb")
        self.beside = path_of(self.file)
        return True

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._direct:
            self.file.close()
            return
        try:
            if kind is None:
                self.file.flush()
                os.chmod(self.beside, self._mode if self._mode is not None else 0o666 & ~_umask())
                os.fsync(self.file.fileno())
                self._appear()
        except OSError as error:
            raise cannot("written", self.name, error) from None
        finally:
            with contextlib.suppress(OSError):
                self.file.close()
            if self._hidden:
                with contextlib.suppress(OSError):
                    os.unlink(self._hidden)

    def _appear(self) -> None:
        if self._hidden:
            self.file.close()
        else:
            folder = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
            try:
                if self._link(folder, self._base):
                    return
                # A link cannot take the place of a file: it gets another name, for a moment.
                hidden = f"{_HIDDEN}{secrets.token_hex(8)}{_PART}"
                if not self._link(folder, hidden):
                    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
                self._hidden = os.path.join(self._folder, hidden)
            finally:
                os.close(folder)
        os.replace(self._hidden, self.path)
        self._hidden = ""

    def _link(self, folder: int, name: str) -> bool:
        # False where the name is taken. The folder is given open because Python follows the link to the open file
        # only then.
        try:
            os.link(self.beside, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=True)
        except FileExistsError:
            return False
        return True


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
