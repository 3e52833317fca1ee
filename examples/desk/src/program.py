"""What every program of the desk does alike: settings, log lines, a quick end, and patience at the start."""

import os
import signal
import time


def setting(name, default=None):
    value = os.environ.get(name, default)
    if value is None:
        raise SystemExit(f"FATAL the setting {name} is missing")
    return value


def log(level, text):
    print(f"{level} {text}", flush=True)


def end_on_sigterm():
    """Nothing needs to be saved: what was taken and not finished is still in the queue."""
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))


def with_patience(attempt, errors, what, seconds=20):
    """Tries until it works: the others may still be starting."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            return attempt()
        except errors as error:
            if time.monotonic() > deadline:
                raise SystemExit(f"FATAL {what} cannot be reached: {error}") from error
            time.sleep(0.1)
