"""A collected item for each trial; each reports what the run of all of them said about it."""

import os
from pathlib import Path

import pytest

from .command import ShakedownError, ask


class TrialsFile(pytest.File):
    """A config: its trials are those that the command line lists."""

    def collect(self):
        try:
            listed = ask(self.config, self.path, "run", "--list")
        except (ShakedownError, RuntimeError) as error:
            raise self.CollectError(str(error)) from None
        for trial in listed["trials"]:
            yield TrialItem.from_parent(self, name=trial["id"], trial=trial)


class TrialItem(pytest.Item):
    def __init__(self, *, trial, **more):
        super().__init__(**more)
        self.trial = trial
        self.file = Path(os.path.normpath(self.path.parent / trial["file"]))
        self.waits = bool(trial["twins"]) or trial["attempts"] > 1
        self.result = None
        for tag in ("shakedown", *trial["tags"]):
            if tag.replace("-", "_").isidentifier() and not tag.startswith("_"):
                self.config.addinivalue_line("markers", f"{tag}: a tag of trials of Shakedown")
                self.add_marker(tag)
        if trial.get("skipReason"):
            self.add_marker(pytest.mark.skip(reason=trial["skipReason"]))

    def reportinfo(self):
        return self.file, self.trial["line"] - 1, self.name

    def setup(self):
        """What proves nothing is an error, as it is when a fixture cannot be set up."""
        run = self.config.stash[shared_runs].of(self.path)
        verdict, text = self.result = run.result(self.name)
        faults = [] if verdict is None else verdict["faults"]
        if verdict is None or any(fault["kind"] == "never-executed" for fault in faults):
            if run.problems and not run.tell_once():
                pytest.skip("not performed: the run ended before it; why is with the first of these trials")
            pytest.fail(run.problems or text, pytrace=False)
        if run.run_folder and verdict["folder"]:
            journal = Path(run.run_folder, verdict["folder"], "events.ndjson")
            self.user_properties += [("shakedown_journal", str(journal)), ("shakedown_again", verdict["repro"])]
        if verdict["verdict"] == "unknown" or (faults and verdict["verdict"] != "failed"):
            pytest.fail(text, pytrace=False)

    def runtest(self):
        verdict, text = self.result
        cause = (verdict["cause"] or {}).get("text", "")
        if verdict["verdict"] == "unstable" and verdict.get("quarantined"):
            excuse = verdict["quarantined"]
            pytest.xfail(f"in quarantine until {excuse['until']} ({excuse['owner']}: {excuse['reason']}): {cause}")
        if verdict["verdict"] in ("failed", "unstable"):
            pytest.fail(text, pytrace=False)
        if verdict["verdict"] == "expected-failure":
            pytest.xfail(cause)
        if verdict["verdict"] == "skipped":
            pytest.skip(verdict["skipReason"] or cause)


shared_runs = pytest.StashKey()
