"""The pytest plugin of Shakedown: one item for each trial of a config, and a booted system as a fixture."""

import pytest

from .command import ShakedownError, find_configs, missing_config, names
from .environment import Environment, boot
from .runs import Runs
from .trials import TrialsFile, whole_runs

__all__ = ["Environment", "ShakedownError", "shakedown_environment"]


def pytest_addoption(parser):
    parser.addini("shakedown_command", "the command line of Shakedown; default: node_modules/.bin/shakedown, or PATH")
    parser.addini("shakedown_config", "configs whose trials are collected", type="paths")
    parser.addini("shakedown_arguments", "further options of `shakedown run`", type="args")


def pytest_configure(config):
    missing = missing_config(config)
    if missing:
        raise pytest.UsageError(str(missing))
    config.addinivalue_line("markers", "shakedown: a trial of Shakedown")
    runs = Runs(config)
    config.stash[whole_runs] = runs
    config.pluginmanager.register(runs, "shakedown-runs")


def pytest_collect_file(file_path, parent):
    is_named = file_path.name in names and parent.session.isinitpath(file_path)
    if is_named or file_path.resolve() in find_configs(parent.config):
        return TrialsFile.from_parent(parent, path=file_path)
    return None


@pytest.fixture(scope="session")
def shakedown_environment(request):
    """The system of the config, booted for the tests of this process; parametrise it with the path of another config."""
    environment = boot(request.config, getattr(request, "param", None))
    yield environment
    environment.close()
