"""Two kinds for a store that speaks the protocol of Redis: a step that sends a command, a check that reads keys."""

import fnmatch
import socket
import time

from shakedown_plugin import Plugin, StepError

plugin = Plugin()


class Connection:
    def __init__(self, address, timeout):
        self.socket = socket.create_connection(address, timeout=timeout)
        self.socket.settimeout(timeout)
        self.file = self.socket.makefile("rb")

    def send(self, words):
        parts = [str(word).encode() for word in words]
        data = b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%s\r\n" % (len(part), part) for part in parts)
        self.socket.sendall(data)
        return len(data)

    def receive(self):
        line = self.file.readline()
        if not line.endswith(b"\r\n"):
            raise StepError("the store closed the connection before its reply", kind="closed")
        mark, rest = line[:1], line[1:-2].decode()
        if mark == b"+":
            return rest
        if mark == b"-":
            return {"error": rest}
        if mark == b":":
            return int(rest)
        if mark == b"$":
            return None if rest == "-1" else self.file.read(int(rest) + 2)[:-2].decode()
        if mark == b"*":
            return None if rest == "-1" else [self.receive() for _ in range(int(rest))]
        raise StepError(f"the store replied {line!r}, which is not RESP", kind="garbage")

    def ask(self, *words):
        self.send(words)
        return self.receive()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
        self.socket.close()


@plugin.step(
    "resp",
    target="service",
    keys={
        "send": {
            "type": "array",
            "items": {"type": "string"},
            "minItems": 1,
            "description": "The command, such as [GET, order:1].",
        }
    },
    required=["send"],
    evidence={"reply": {"origin": "system"}, "ms": {"origin": "measured"}},
    outcome="reply",
    examples=[{"resp": "store", "send": ["PING"]}],
)
def resp(request):
    """Sends one command to a store that speaks the protocol of Redis."""
    began = time.monotonic()
    with Connection(request.address, request.timeout) as connection:
        request.sent_bytes = connection.send(request.step["send"])
        reply = connection.receive()
    return {"reply": reply, "ms": round((time.monotonic() - began) * 1000, 1)}


@plugin.check(
    "keys",
    target="service",
    keys={"match": {"type": "string", "description": "A glob, such as order:*; every key when absent."}},
    evidence={
        "key": {"origin": "system"},
        "type": {"origin": "system", "enum": ["string", "list"]},
        "value": {"origin": "system"},
    },
    examples=[{"keys": "store", "match": "order:*"}],
)
def keys(request):
    """The keys of a store with their values, in order."""
    with Connection(request.address, request.timeout) as connection:
        names = sorted(connection.ask("KEYS", "*"))
        wanted = [name for name in names if fnmatch.fnmatchcase(name, request.query.get("match", "*"))]
        found = []
        for name in wanted:
            kind = connection.ask("TYPE", name)
            value = connection.ask("LRANGE", name, 0, -1) if kind == "list" else connection.ask("GET", name)
            found.append({"key": name, "type": kind, "value": value})
        return found


plugin.run()
