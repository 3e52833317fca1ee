import json
import os
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

manifest = {}
lock = Lock()
list_file = os.path.join(os.environ["DATA_DIR"], "manifest.txt")


class Pier(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path == "/health":
            return self.answer(200, {"ok": True})
        found = re.fullmatch(r"/manifest/(\w+)", self.path)
        if found:
            return self.answer(200, {"people": manifest.get(found[1], []), "crossing": found[1]})
        self.answer(404, {"error": "no such page"})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with lock:
            people = manifest.setdefault(body["crossing"], [])
            people.append(body["passenger"])
            with open(list_file, "a") as out:
                out.write(f"{body['crossing']} {body['passenger']}\n")
            position = len(people)
        print(f"INFO listed {body['passenger']} on {body['crossing']}", flush=True)
        self.answer(200, {"ok": True, "position": position})

    def log_message(self, *args):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Pier).serve_forever()
