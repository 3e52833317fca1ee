"""The front door: a team puts in documents, and reads their digests. It keeps what is finished in Redis for a while."""

import hashlib
import json
import os
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from program import JOBS, database, end_on_sigterm, has, log, queue

CACHED_SECONDS = 60
READ = """SELECT id, team, title, status, summary, reason,
    ARRAY(SELECT tag FROM tags WHERE document_id = id ORDER BY tag) AS tags
    FROM documents WHERE id = %s"""

cache = queue()


class Refusal(Exception):
    def __init__(self, status, reason):
        super().__init__(reason)
        self.status = status


def create(team, wanted):
    title, text = (text_of(wanted, name) for name in ("title", "text"))
    fingerprint = hashlib.sha256(text.encode()).hexdigest()
    with database() as db:
        made = db.execute(
            "INSERT INTO documents (id, team, title, text, fingerprint) VALUES (%s, %s, %s, %s, %s)"
            " ON CONFLICT DO NOTHING RETURNING id, status",
            (str(uuid.uuid4()), team, title, text, fingerprint),
        ).fetchone()
        if made is None:
            known = db.execute(
                "SELECT id, status FROM documents WHERE team = %s AND fingerprint = %s", (team, fingerprint)
            ).fetchone()
            return 200, {**known, "known": True}
    for _ in range(2 if has("queued-twice") else 1):
        cache.lpush(JOBS, made["id"])
    return 201, {**made, "known": False}


def read(team, document):
    kept = cache.get(f"document:{document}")
    if kept is not None and has("cache-of-all-teams"):
        return 200, json.loads(kept)
    if kept is not None:
        found = json.loads(kept)
    else:
        with database() as db:
            found = db.execute(READ, (document,)).fetchone()
    if found is None or found["team"] != team:
        raise Refusal(404, "there is no such document")
    if kept is None and (found["status"] == "digested" or has("caches-unfinished")):
        cache.set(f"document:{document}", json.dumps(found), ex=CACHED_SECONDS)
    return 200, found


def list_all(team):
    with database() as db:
        found = db.execute(
            "SELECT id, title, status FROM documents WHERE team = %s ORDER BY created_at", (team,)
        ).fetchall()
    return 200, {"documents": found}


def text_of(wanted, name):
    value = wanted.get(name) if isinstance(wanted, dict) else None
    if not isinstance(value, str) or not value.strip():
        raise Refusal(400, f"{name} is missing")
    return value


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def do_GET(self):
        self.answer()

    do_POST = do_GET

    def answer(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            status, value = self.find(body)
        except Refusal as refusal:
            status, value = refusal.status, {"error": str(refusal)}
        except Exception as error:  # one request must not end the others
            log("ERROR", f"{self.command} {self.path}: {type(error).__name__}: {error}")
            status, value = 500, {"error": "internal"}
        answer = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def find(self, body):
        if self.path == "/health":
            return 200, {"status": "ok"}
        team = self.headers.get("x-team")
        if not team:
            raise Refusal(401, "x-team is missing")
        if (self.command, self.path) == ("POST", "/documents"):
            return create(team, parsed(body))
        if (self.command, self.path) == ("GET", "/documents"):
            return list_all(team)
        if self.command == "GET" and self.path.startswith("/documents/"):
            return read(team, self.path.removeprefix("/documents/"))
        raise Refusal(404, "there is no such address")

    def log_message(self, *_):
        pass  # what matters is logged where it happens


def parsed(body):
    try:
        return json.loads(body)
    except ValueError as error:
        raise Refusal(400, "the body is not JSON") from error


end_on_sigterm()
ThreadingHTTPServer.daemon_threads = True
server = ThreadingHTTPServer((os.environ.get("HOST", "0.0.0.0"), int(os.environ.get("PORT", "8000"))), Handler)
log("INFO", f"listening on {server.server_port}")
server.serve_forever()
