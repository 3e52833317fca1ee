"""A small HTTP server: routes to functions, JSON in and out, refusals with a reason, streams of events."""

import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from program import log, setting


class Refusal(Exception):
    def __init__(self, status, reason):
        super().__init__(reason)
        self.status = status
        self.reason = reason


class Events:
    """An answer that is a stream: each element becomes one event."""

    def __init__(self, elements):
        self.elements = elements


class Request:
    def __init__(self, headers, query, body):
        self.headers = headers
        self.query = query
        self.body = body

    def json(self):
        try:
            value = json.loads(self.body)
        except ValueError as error:
            raise Refusal(400, "the body is not JSON") from error
        if not isinstance(value, dict):
            raise Refusal(400, "the body is not an object")
        return value


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


def serve(routes):
    """`routes` maps `METHOD /path/(.*)` to functions, which get the request and the groups of the path."""
    patterns = [(re.compile(f"{route}$"), function) for route, function in routes.items()]

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def do_GET(self):
            self.answer()

        do_POST = do_PUT = do_DELETE = do_GET

        def answer(self):
            url = urlsplit(self.path)
            length = int(self.headers.get("content-length") or 0)
            query = {name: values[0] for name, values in parse_qs(url.query).items()}
            request = Request(self.headers, query, self.rfile.read(length))
            try:
                status, answer = self.find(f"{self.command} {url.path}", request)
            except Refusal as refusal:
                status, answer = refusal.status, {"error": refusal.reason}
            except Exception as error:  # one request must not end the others
                log("ERROR", f"{self.command} {url.path}: {type(error).__name__}: {error}")
                status, answer = 500, {"error": "internal"}
            if isinstance(answer, Events):
                self.stream(answer)
            else:
                self.send(status, b"" if answer is None else json.dumps(answer).encode())

        def find(self, asked, request):
            for pattern, function in patterns:
                match = pattern.match(asked)
                if match:
                    return function(request, *match.groups())
            raise Refusal(404, "there is no such address")

        def send(self, status, body):
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def stream(self, events):
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("connection", "close")
            self.end_headers()
            self.wfile.flush()
            self.close_connection = True
            try:
                for element in events.elements:
                    self.wfile.write(f"event: progress\ndata: {json.dumps(element)}\n\n".encode())
                    self.wfile.flush()
            except ConnectionError:
                pass  # the reader has left

        def log_message(self, *_):
            pass  # what matters is logged where it happens

    server = Server(("127.0.0.1", int(setting("PORT"))), Handler)
    log("INFO", f"listening on {server.server_port}")
    server.serve_forever()
