"""The temporary folder of a session; those of sessions that were killed are removed."""

import fcntl
import os
import re
import shutil
import tempfile
from pathlib import Path

_name = re.compile(r"shakedown-pytest-(\d+)-")


def make_session_folder():
    base = Path(tempfile.gettempdir())
    for name in os.listdir(base):
        match = _name.match(name)
        if match and not _is_running(int(match[1])):
            _remove_abandoned(base / name)
    folder = tempfile.mkdtemp(prefix=f"shakedown-pytest-{os.getpid()}-")
    fcntl.flock(os.open(folder, os.O_RDONLY), fcntl.LOCK_EX)  # held until this process ends
    return folder


def _is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return True


def _remove_abandoned(folder):
    """One of ours, no link, and not locked: a process of another container has no pid here."""
    try:
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(opened).st_uid == os.getuid():
            shutil.rmtree(folder, ignore_errors=True)
    except OSError:
        pass
    finally:
        os.close(opened)
