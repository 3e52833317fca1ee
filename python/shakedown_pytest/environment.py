"""A booted system for tests: addresses, edges, rows and the journal. It goes down when the tests end, however they end."""

import json
import signal
import subprocess
import tempfile
from pathlib import Path

import pytest

from .command import ShakedownError, ask, call_for, errors_text, find_configs, names, start

_leave_seconds = 120


def boot(config, named=None):
    found = [(config.rootpath / named).resolve()] if named else find_configs(config)
    if not found:
        raise ShakedownError(
            "shakedown_environment",
            f"there is no config in {config.rootpath}",
            f"{', '.join(names)} there, or the ini option shakedown_config",
            "write one: shakedown init",
        )
    return Environment(config, found[0])


class Environment:
    def __init__(self, config, system):
        self._config, self._system = config, system
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8")
        # It is up as long as `cat` reads: also a pytest that is killed closes the pipe.
        call = [*call_for(config, system, "up", "--apart"), "--", "cat"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self._errors}
        self._process = start(call, system.parent, **pipes)
        try:
            self.status = json.loads(self._process.stdout.readline() or "{}")
        except BaseException:
            self._leave()
            raise
        if "run" not in self.status:
            self._leave()
            pytest.fail(errors_text(self.status) or self._printed(), pytrace=False)
        parts = [*self.status["services"], *self.status["resources"]]
        self.addresses = {part["name"]: part["url"] for part in parts if part["url"]}
        """Of services and resources, by their names."""
        outside = {edge["to"]: edge["url"] for edge in self.status["edges"] if edge["from"] == "outside"}
        self.addresses = {**outside, **self.addresses}
        self.edges = self.status["edges"]
        """Each with `from`, `to` and `url`."""
        self.run_folder = Path(self.status["runFolder"])

    def url(self, name):
        __tracebackhide__ = True
        if name in self.addresses:
            return self.addresses[name]
        known = ", ".join(sorted(self.addresses)) or "nothing"
        raise ShakedownError("url()", f"nothing is called {name!r}", known, "name one of these")

    @property
    def env(self):
        """The variables that a command after `shakedown up --` gets."""
        named = self.addresses.items()
        return {f"SHAKEDOWN_{name.replace('-', '_').replace('.', '_').upper()}_URL": url for name, url in named}

    def rows(self, table, where=None):
        """The rows that a table, such as `db.orders`, has now; `where` is a pattern as in a check `rows`."""
        words = ["rows", table, "--run", self.status["run"]]
        if where is not None:
            words += ["--where", json.dumps(where)]
        return ask(self._config, self._system, *words)["rows"]

    def journal(self):
        """Everything recorded until now: calls on edges, starts and ends of services."""
        if self._process.poll() is None:
            # What has passed is written when this is answered.
            ask(self._config, self._system, "status", "--run", self.status["run"])
        text = (self.run_folder / "events.ndjson").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines(keepends=True)[1:] if line.endswith("\n")]

    def close(self):
        """Takes everything down; an error when it did not hold until now, or when something is left."""
        if self._leave() != 0:
            pytest.fail(self._printed(), pytrace=False)

    def _leave(self):
        self._process.stdin.close()
        try:
            return self._process.wait(_leave_seconds)
        except subprocess.TimeoutExpired:
            self._process.send_signal(signal.SIGINT)
            return self._process.wait()

    def _printed(self):
        errors = [errors_text(json.loads(line)) for line in self._process.stdout if line.startswith('{"errors"')]
        self._errors.seek(0)
        texts = [*errors, self._errors.read()[-4000:]]
        return "\n".join(text for text in texts if text) or f"shakedown ended with {self._process.returncode}"
