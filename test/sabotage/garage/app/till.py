import json, os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LEDGER = os.path.join(os.environ["DATA_DIR"], "ledger.jsonl")
counts = {"h": 0, "c": 0}
holds = set()

class Till(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *args): pass
    def send(self, status, value=None):
        body = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def note(self, **entry):
        with open(LEDGER, "a") as f: f.write(json.dumps(entry) + "\n")
        print("till: " + entry["op"], flush=True)
    def do_GET(self):
        self.send(200, {"ok": True})
    def do_DELETE(self):
        hold = self.path.rsplit("/", 1)[1]
        if hold not in holds: return self.send(404, {"error": "no such hold"})
        holds.discard(hold)
        self.note(op="release", hold=hold)
        self.send(200, {"released": hold})
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", "0"))) or b"{}")
        if self.path == "/holds":
            counts["h"] += 1
            hold = "h-%d" % counts["h"]
            holds.add(hold)
            self.note(op="hold", session=body["session"], cents=body["cents"])
            return self.send(201, {"hold": hold})
        if self.path == "/charges":
            counts["c"] += 1
            holds.discard(body.get("hold"))
            self.note(op="charge", session=body["session"], cents=body["cents"])
            return self.send(201, {"charge": "c-%d" % counts["c"]})
        self.send(404, {"error": "no such path"})

ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Till).serve_forever()
