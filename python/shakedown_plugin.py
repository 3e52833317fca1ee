"""Kinds of steps and checks for Shakedown, written in Python.

    from shakedown_plugin import Plugin, StepError

    plugin = Plugin()

    @plugin.step("publish", target="service", keys={"topic": {"type": "string"}}, required=["topic"])
    def publish(request):
        ...
        return {"delivered": True}

    plugin.run()

Shakedown starts the program, sends one JSON request per line, and reads one answer per line. What the program prints
goes to standard error, so that it cannot disturb that conversation.
"""

import errno
import json
import os
import socket
import sys
import threading
import traceback


_unreachable = (errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EHOSTDOWN)


class StepError(Exception):
    """The step could not be completed; `kind` is what a trial can expect under `error.kind`."""

    def __init__(self, message, kind="garbage", evidence=None):
        super().__init__(message)
        self.kind = kind
        self.evidence = evidence or {}


class LookError(Exception):
    """What is asked for cannot be seen; with `retry`, it may be by waiting."""

    def __init__(self, message, retry=False):
        super().__init__(message)
        self.retry = retry


class Request:
    """One step or look: `step` or `query` as written, and the address of the service that it names."""

    def __init__(self, message):
        self.step = message.get("step") or {}
        self.query = message.get("query") or {}
        self.target = message.get("target") or {}
        self.services = message.get("services") or {}
        self.before = bool(message.get("before"))
        self.timeout = message.get("timeoutMs", 10_000) / 1000
        self.scratch = message.get("scratch")
        self.sent_bytes = None
        """Set this to the number of bytes that reached the system, if you know it."""
        self._cancelled = threading.Event()

    @property
    def address(self):
        """(host, port) of the target, as `socket.create_connection` takes it."""
        return self.target["host"], self.target["port"]

    @property
    def cancelled(self):
        return self._cancelled.is_set()


def _text(error):
    """The message of an exception as text that can be sent, whatever it holds."""
    try:
        return str(error).encode("utf-8", "backslashreplace").decode("utf-8")
    except Exception:
        return "(its message cannot be printed)"


class Plugin:
    def __init__(self):
        self._kinds = {"steps": {}, "checks": {}}
        self._handlers = {}
        self._running = {}
        self._lock = threading.Lock()
        self._on_close = []
        self._out = None

    def step(self, key, **description):
        """The decorated function takes a Request and returns the evidence, a dict."""
        return self._add("steps", key, description)

    def check(self, key, gives="list", **description):
        """The decorated function takes a Request and returns what is seen: a list, or a dict with `gives="map"`."""
        return self._add("checks", key, {"gives": gives, **description})

    def on_close(self, handler):
        """Called once, when the attempt is over."""
        self._on_close.append(handler)
        return handler

    def _add(self, part, key, description):
        def register(handler):
            if handler.__doc__ and "title" not in description:
                description["title"] = handler.__doc__.strip().splitlines()[0]
            self._kinds[part][key] = description
            self._handlers[(part, key)] = handler
            return handler

        return register

    def run(self):
        # Only we speak and listen here: what handlers and their children print goes to standard error.
        requests = os.fdopen(os.dup(0), encoding="utf-8")
        self._out = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
        with open(os.devnull) as nothing:
            os.dup2(nothing.fileno(), 0)
        os.dup2(2, 1)
        for line in requests:
            if line.strip():
                self._receive(line)
        self._end()

    def _receive(self, line):
        try:
            message = json.loads(line)
            asked = message["do"]
        except (ValueError, KeyError, TypeError) as error:
            print(f"a line is not a request: {error}: {line[:200]}", file=sys.stderr)
            return
        number = message.get("id")
        if asked == "describe":
            self._say({"id": number, "description": {"protocol": 1, **self._kinds}})
        elif asked in ("start", "look"):
            request = Request(message)
            self._running[number] = request
            thread = threading.Thread(target=self._answer, args=(number, asked, message, request), daemon=True)
            thread.start()
        elif asked == "cancel":
            running = self._running.get(number)
            if running:
                running._cancelled.set()
        elif asked == "close":
            self._say({"id": number})
            self._end()
        else:
            self._say({"id": number, "error": {"kind": "not-started", "message": f"cannot do {asked!r}"}})

    def _answer(self, number, asked, message, request):
        part = "steps" if asked == "start" else "checks"
        handler = self._handlers.get((part, message.get("kind")))
        try:
            if handler is None:
                raise StepError(f"there is no kind {message.get('kind')!r}", kind="plugin-failed")
            result = handler(request)
            said = {"evidence": result} if asked == "start" else {"observed": result}
            if request.sent_bytes is not None:
                said["sentBytes"] = request.sent_bytes
            self._line(said)
        except StepError as error:
            said = {"error": {"kind": error.kind, "message": _text(error)}, "evidence": error.evidence}
        except LookError as error:
            said = {"error": {"message": _text(error), "retry": error.retry}}
        except ConnectionRefusedError as error:
            said = {"error": {"kind": "refused", "message": _text(error), "retry": True}}
        except TimeoutError as error:
            said = {"error": {"kind": "timeout", "message": _text(error) or "it took too long", "retry": True}}
        except ConnectionError as error:
            said = {"error": {"kind": "reset", "message": _text(error), "retry": True}}
        except BaseException as error:
            if isinstance(error, socket.gaierror) or getattr(error, "errno", None) in _unreachable:
                said = {"error": {"kind": "unreachable", "message": _text(error), "retry": True}}
            else:  # a mistake of the plugin, not of the system
                traceback.print_exc()
                message = f"the plugin failed in `{message.get('kind')}`: {type(error).__name__}: {_text(error)}"
                said = {"error": {"kind": "plugin-failed", "message": message}}
        self._running.pop(number, None)
        self._say({"id": number, **said})

    def _say(self, message):
        try:
            line = self._line(message)
        except (TypeError, ValueError, RecursionError) as error:  # an error whose message or evidence is not JSON
            failure = f"the plugin failed: its error cannot be sent: {error!r:.300}".encode("ascii", "backslashreplace")
            line = self._line({"id": message["id"], "error": {"kind": "plugin-failed", "message": failure.decode()}})
        with self._lock:
            self._out.write(line + "\n")
            self._out.flush()

    def _line(self, message):
        line = json.dumps(message, ensure_ascii=False, allow_nan=False)
        line.encode("utf-8")
        return line

    def _end(self):
        for handler in self._on_close:
            handler()
        sys.stderr.flush()
        os._exit(0)
