"""The runs of a session of pytest: who starts them, when they end, and what they say beyond single trials."""

import hashlib
import shutil
from pathlib import Path

import pytest

from .command import find_configs
from .session_folder import make_session_folder
from .whole_run import WholeRun, read_wanted
from .trials import TrialItem

_interrupted = (130, 143)
_beside_trials = (7, 70)
"""Left behind, and a bug of Shakedown's: true whatever the trials say."""


class Runs:
    def __init__(self, config):
        self.config = config
        given = getattr(config, "workerinput", {}).get("shakedown_folder")
        self.is_worker = given is not None
        self.folder = Path(given or make_session_folder())
        self.parallel = None
        self.lines = []
        self._runs = {}
        self._reported = {}

    def of(self, system):
        if system not in self._runs:
            self._runs[system] = WholeRun(self.folder, system)
        run = self._runs[system]
        if not self.is_worker:
            run.start(self.config, self.parallel)
        return run

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        """What only the whole run can decide comes after the other trials of its config."""
        ours = [index for index, item in enumerate(items) if isinstance(item, TrialItem)]
        order = sorted((items[index] for index in ours), key=lambda item: item.waits)
        for index, item in zip(ours, order):
            items[index] = item

    def pytest_collection_finish(self, session):
        wanted = {}
        for item in session.items:
            if isinstance(item, TrialItem):
                wanted.setdefault(item.path, []).append(item)
        for system, items in wanted.items():
            if all(item.trial.get("skipReason") for item in items):
                continue
            self._runs[system] = WholeRun(self.folder, system)
            self._runs[system].want({item.nodeid: item.name for item in items})

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node):
        node.workerinput["shakedown_folder"] = str(self.folder)
        self.parallel = (self.parallel or 0) + 1

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self):
        for system, wanted in read_wanted(self.folder).items():
            run = self._runs.setdefault(Path(system), WholeRun(self.folder, Path(system)))
            run.wanted = wanted
            run.start(self.config, self.parallel)

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or not report.passed:
            self._reported[report.nodeid] = self._reported.get(report.nodeid, False) or report.failed

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session):
        if self.is_worker:
            return
        for run in self._runs.values():
            run.end(is_complete=all(item in self._reported for item in run.wanted))
            has_failed = any(self._reported.get(item) for item in run.wanted)
            reasons = (run.verdict or {}).get("reasons", [])
            self.lines += [
                f"  {reason['exitCode']}  {reason['text']}"
                for reason in reasons
                if reason["exitCode"] in _beside_trials
                or not (has_failed or reason["exitCode"] in _interrupted or run.verdict["exitCode"] in _interrupted)
            ]
        if self.lines and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def note_collected(self, system):
        """Also by a worker, for whoever writes the summary."""
        self._collected(system).touch()

    def _collected(self, system):
        return self.folder / f"{hashlib.sha1(str(system.resolve()).encode()).hexdigest()[:12]}.collected"

    def _say_uncollected(self, terminalreporter):
        source = getattr(getattr(self.config, "args_source", None), "name", None)
        names = {"TESTPATHS": "testpaths", "ARGS": "the arguments"}
        for system in [] if self.config.getoption("lf", False) else find_configs(self.config):
            if not self._collected(system).exists():
                reason = f"{names.get(source, 'testpaths, the arguments or the current folder')} left it out"
                terminalreporter.write_line(f"Shakedown: no trial of {system} was collected: {reason}", yellow=True)

    def pytest_terminal_summary(self, terminalreporter, exitstatus):
        if exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED):
            self._say_uncollected(terminalreporter)
        for line in ["Shakedown: the run as a whole did not hold", *self.lines] if self.lines else []:
            terminalreporter.write_line(line, red=True)

    def pytest_unconfigure(self):
        if not self.is_worker:
            shutil.rmtree(self.folder, ignore_errors=True)
