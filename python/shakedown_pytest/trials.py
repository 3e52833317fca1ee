"""A collected item for each trial; each reports what the run of all of them said about it."""

import os
from pathlib import Path

import pytest

from .command import ShakedownError, ask


class TrialsFile(pytest.File):
    """A config: its trials are those that the command line lists."""

    def collect(self):
        self.config.stash[whole_runs].note_collected(self.path)
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
        run = self.config.stash[whole_runs].of(self.path)
        self.result = run.result(self.name)
        faults = self.result["verdict"]["faults"] if self.result else []
        if self.result is None or any(fault["kind"] == "never-executed" for fault in faults):
            if run.problems and not run.tell_once():
                pytest.skip("not performed: the run ended before it; why is with the first of these trials")
            pytest.fail(run.problems or self.result["text"], pytrace=False)
        verdict = self.result["verdict"]
        if verdict["folder"]:
            journal = Path(run.run_folder, verdict["folder"], "events.ndjson")
            self.user_properties += [("shakedown_journal", str(journal)), ("shakedown_again", verdict["repro"])]
        if self.result["outcome"].get("junit") == "error":
            pytest.fail(self.result["text"], pytrace=False)

    def runtest(self):
        outcome = self.result["outcome"]
        if outcome.get("junit") == "failure":
            pytest.fail(self.result["text"], pytrace=False)
        if outcome["type"] == "skipped":
            pytest.skip(outcome["message"])
        if outcome.get("junit") == "skipped":
            pytest.xfail(outcome["message"])


whole_runs = pytest.StashKey()
