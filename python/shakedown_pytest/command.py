"""Finds the command line of Shakedown, and calls it for JSON."""

import json
import os
import shlex
import shutil
import subprocess

names = (
    *("shakedown.config.ts", "shakedown.config.mts", "shakedown.config.js", "shakedown.config.mjs"),
    *("shakedown.yaml", "shakedown.yml"),
)
"""Those that the command line looks for."""


class ShakedownError(Exception):
    """Where, what with the value, what is allowed, what to do next."""

    def __init__(self, where, what, allowed, next_step):
        super().__init__(f"{where}\n  what     {what}\n  allowed  {allowed}\n  next     {next_step}")


def find_command(config):
    """The words of the command: a variable, an ini option, the nearest node_modules, PATH."""
    given = os.environ.get("SHAKEDOWN") or config.getini("shakedown_command")
    if given:
        return shlex.split(given)
    for folder in (config.rootpath, *config.rootpath.parents):
        local = folder / "node_modules" / ".bin" / "shakedown"
        if local.exists():
            return [str(local)]
    found = shutil.which("shakedown")
    if found:
        return [found]
    raise ShakedownError(
        "the command line of Shakedown",
        f"it was not found from {config.rootpath}",
        "the variable SHAKEDOWN, the ini option shakedown_command, node_modules/.bin/shakedown here or above, or PATH",
        "install it: npm install --save-dev shakedown",
    )


def find_configs(config):
    """Those that the ini option names, or else the one in the root folder."""
    named = config.getini("shakedown_config")
    if named:
        return [path.resolve() for path in named]
    found = (config.rootpath / name for name in names)
    return [path.resolve() for path in found if path.exists()][:1]


def missing_config(config):
    """The error for the first config that the ini option names, and that is not a file."""
    for path in config.getini("shakedown_config"):
        if not path.is_file():
            return ShakedownError(
                f"error[config.not-found] shakedown_config in {config.inipath or 'the options'}",
                f"{path} is not there, or not a file",
                f"configs, relative to {config.rootpath}; {', '.join(names)} of the root folder when absent",
                "correct the path, or remove it",
            )
    return None


def call_for(config, system, *words):
    """The words of a call for a config file, made in the folder of that file."""
    verb, *rest = words
    named = [] if system.name in names else ["--config", system.name]
    further = config.getini("shakedown_arguments") if verb == "run" else []
    return [*find_command(config), verb, "--json", *named, *further, *rest]


def ask(config, system, *words):
    """Calls a verb that gives one JSON object."""
    call = call_for(config, system, *words)
    done = start(call, system.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = done.communicate()
    try:
        answer = json.loads(out)
    except ValueError:
        answer = {}
    if done.returncode == 0 and answer:
        return answer
    raise RuntimeError(errors_text(answer) or err or f"{shlex.join(call)} ended with {done.returncode}")


def start(call, folder, **streams):
    """In a session of its own: Ctrl-C at a terminal is for pytest, which ends it in order."""
    environment = {**os.environ, "NO_COLOR": "1"}
    try:
        return subprocess.Popen(
            call, cwd=folder, env=environment, encoding="utf-8", start_new_session=True, **streams
        )
    except OSError as error:
        raise ShakedownError(
            call[0],
            f"it could not be started: {error.strerror}",
            "the command line of Shakedown, which needs Node 22.18 or newer",
            "correct the variable SHAKEDOWN or the ini option shakedown_command",
        ) from error


def errors_text(answer):
    """The errors of `--json`, each with its four parts, as the terminal shows them."""
    return "\n\n".join(_error_text(error) for error in answer.get("errors", []))


def _error_text(error):
    where = error["where"]
    place = where if isinstance(where, str) else ":".join(str(where[key]) for key in ("file", "line") if key in where)
    parts = [f"  {key:<8} {error[key]}" for key in ("what", "allowed", "next")]
    return "\n".join([f"error[{error['code']}] {place}", *parts, *(f"  | {line}" for line in error["evidence"])])
