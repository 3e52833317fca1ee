import json, os, sys, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import Request, urlopen
from urllib.error import HTTPError


def log(level, text):
    print(f"{level} {text}", flush=True)


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def append(path, record):
    with open(path, "a") as f:
        f.write(json.dumps(record) + "\n")


def post(url, body, headers=None, timeout=8):
    head = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    head.update(headers or {})
    request = Request(url, json.dumps(body).encode(), head)
    try:
        with urlopen(request, timeout=timeout) as answer:
            raw = answer.read()
            return answer.status, dict((k.lower(), v) for k, v in answer.headers.items()), raw
    except HTTPError as error:
        return error.code, dict((k.lower(), v) for k, v in error.headers.items()), error.read()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def body(self):
        return self.rfile.read(int(self.headers.get("content-length") or 0))

    def answer(self, status, value=None, headers=None):
        raw = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        if value is not None:
            self.send_header("content-type", "application/json")
        for name, text in (headers or {}).items():
            self.send_header(name, text)
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def event(self, name, data):
        self.wfile.write(f"event: {name}\ndata: {json.dumps(data)}\n\n".encode())
        self.wfile.flush()

    def stream(self):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True


def serve(handler):
    ThreadingHTTPServer.daemon_threads = True
    ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), handler).serve_forever()
