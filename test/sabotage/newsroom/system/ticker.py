"""Newline-JSON over TCP: market quotes for the business page."""
import json, os, socketserver
from common import log

PRICES = {"ACME": 12.5, "INK": 3.25}


class Ticker(socketserver.StreamRequestHandler):
    def say(self, message):
        self.wfile.write(json.dumps(message).encode() + b"\n")

    def handle(self):
        try:
            self.talk()
        except OSError:
            pass  # the client has gone

    def finish(self):
        try:
            super().finish()
        except OSError:
            pass

    def talk(self):
        self.say({"hello": "ticker", "version": 2})
        for line in self.rfile:
            try:
                message = json.loads(line)
                op = message["op"]
            except (ValueError, KeyError, TypeError):
                log("WARN", "bad json from a client")
                self.say({"error": "bad json"})
                continue
            if op == "subscribe":
                log("INFO", f"subscribed {message.get('desk')}")
                self.say({"ok": True, "desk": message.get("desk")})
            elif op == "quote":
                price = PRICES.get(message.get("symbol"))
                self.say({"symbol": message.get("symbol"), "price": price} if price else {"error": "no such symbol"})
            elif op == "ping":
                self.say({"op": "pong"})
            elif op == "bye":
                return self.say({"bye": True})
            else:
                self.say({"error": "no such op"})


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


Server(("127.0.0.1", int(os.environ["PORT"])), Ticker).serve_forever()
