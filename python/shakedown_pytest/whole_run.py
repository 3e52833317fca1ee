"""One run of the command line for all selected trials of a config, whose results any process of pytest can read."""

import hashlib
import json
import subprocess
import threading
import time

from .command import call_for, errors_text, start

_look_seconds = 0.02


class WholeRun:
    """With xdist, the controller starts it and the workers read; otherwise one process does both."""

    def __init__(self, folder, system):
        stem = folder / hashlib.sha1(str(system).encode()).hexdigest()[:12]
        self.system = system
        self.wanted = {}
        """Which trials, by the id of their pytest item."""
        self.trials = {}
        self.run_folder = None
        self.verdict = None
        self.problems = ""
        self.ended = False
        self.process = None
        self._lines = stem.with_suffix(".ndjson")
        self._told = stem.with_suffix(".told")
        self._wanted_file = stem.with_suffix(".wanted")
        self._offset = 0
        self._errors = stem.with_suffix(".err")

    def want(self, wanted):
        """Called by every worker with the same, as they select the same."""
        self.wanted = wanted
        draft = self._wanted_file.with_suffix(f".{id(self)}-{time.monotonic_ns()}")
        draft.write_text(json.dumps({"system": str(self.system), "wanted": wanted}), encoding="utf-8")
        draft.replace(self._wanted_file)

    def start(self, config, parallel):
        if self.process or not self.wanted:
            return
        words = ["--parallel", str(parallel)] if parallel else []
        call = call_for(config, self.system, "run", "--stream", *words, *self.wanted.values())
        with open(self._lines, "ab") as lines, open(self._errors, "ab") as errors:
            self.process = start(call, self.system.parent, stdin=subprocess.PIPE, stdout=lines, stderr=errors)
        threading.Thread(target=self._note_end, daemon=True).start()

    def result(self, trial):
        """The line of a trial; none when the run ended without it."""
        while not self.ended and trial not in self.trials:
            time.sleep(_look_seconds)
            self._read()
        return self.trials.get(trial)

    def tell_once(self):
        """Whether nobody has reported yet why the run is over; one of all workers does."""
        try:
            self._told.open("x").close()
            return True
        except FileExistsError:
            return False

    def end(self, is_complete):
        """Waits until everything is taken down; what nobody waits for any more is interrupted."""
        if not self.process:
            return
        if not is_complete:
            self.process.stdin.close()
        while not self.ended:
            time.sleep(_look_seconds)
            self._read()

    def _note_end(self):
        code = self.process.wait()
        errors = self._errors.read_text(encoding="utf-8", errors="replace")[-4000:]
        line = json.dumps({"type": "end", "text": errors or f"shakedown ended with {code}"})
        with open(self._lines, "ab") as lines:
            lines.write(f"\n{line}\n".encode())

    def _read(self):
        if not self._lines.exists():
            return
        with open(self._lines, "rb") as lines:
            lines.seek(self._offset)
            new = lines.read()
        whole, separator, _rest = new.rpartition(b"\n")
        self._offset += len(whole) + len(separator)
        for line in whole.splitlines():
            if line.startswith(b"{"):
                self._take(json.loads(line))

    def _take(self, line):
        kind = line.get("type")
        if kind == "run":
            self.run_folder = line["runFolder"]
        elif kind == "trial":
            self.trials[line["trial"]] = line
        elif kind == "problems":
            self.problems = line["text"]
        elif kind == "end":
            self.problems = self.problems or ("" if self.verdict else line["text"])
            self.ended = True
        elif "errors" in line:
            self.problems = errors_text(line)
        else:
            self.verdict = line


def read_wanted(folder):
    """What the workers want, by the file of the config."""
    files = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.wanted"))]
    return {one["system"]: one["wanted"] for one in files}
