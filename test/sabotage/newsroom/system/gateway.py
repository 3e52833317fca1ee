"""The newsroom's front door: files stories, publishes them to the wire, relays questions to the agent."""
import json, os, re, threading
from urllib.request import Request, urlopen
from common import Handler, serve, log, append, now, post

DIR, AGENT, WIRE = os.environ["DATA_DIR"], os.environ["AGENT_URL"], os.environ["WIRE_URL"]
DESKS = {"city", "sports", "culture"}
stories, archive, lock = {}, {}, threading.Lock()


def public(story):
    return {k: v for k, v in story.items() if k != "editorToken"}


class Gateway(Handler):
    def do_GET(self):
        if self.path == "/health":
            return self.answer(200, {"ok": True})
        if self.path.split("?")[0] == "/stories":
            desk = self.path.partition("desk=")[2]
            items = [public(s) for s in stories.values() if not desk or s["desk"] == desk]
            return self.answer(200, {"items": items, "total": len(items)})
        found = re.fullmatch(r"/stories/([^/]+)", self.path)
        if found and found[1] in stories:
            return self.answer(200, public(stories[found[1]]), {"etag": '"v1"'})
        self.answer(404, {"error": f"nothing at {self.path}"})

    def do_POST(self):
        raw = self.body()
        if self.path == "/rpc":
            return self.rpc(raw)
        try:
            body = json.loads(raw or b"{}")
        except ValueError:
            return self.answer(400, {"error": "not JSON"})
        if not isinstance(body, dict):
            return self.answer(400, {"error": "not an object"})
        if self.path == "/stories":
            return self.file(body)
        if self.path == "/briefs":
            status, _, raw = post(AGENT + "/brief", body)
            return self.answer(201 if status == 200 else 502, json.loads(raw))
        if self.path == "/ask":
            status, _, raw = post(AGENT + "/ask", body)
            if status != 200:
                return self.answer(502, {"error": "the agent is out"})
            return self.answer(200, json.loads(raw), {"x-desk": "assistant"})
        if self.path == "/ask/stream":
            request = Request(AGENT + "/ask/stream", json.dumps(body).encode(), {"content-type": "application/json"})
            with urlopen(request, timeout=8) as source:
                self.stream()
                for line in source:
                    self.wfile.write(line)
                    self.wfile.flush()
            return
        if self.path == "/hooks/wire":
            for story in stories.values():
                if story.get("ticket") == body.get("ticket"):
                    story["state"] = body.get("state")
                    append(f"{DIR}/events.jsonl", {"type": "story.delivered", "id": story["id"], "at": now()})
                    return self.answer(204)
            return self.answer(404, {"error": "no such ticket"})
        found = re.fullmatch(r"/stories/([^/]+)/publish", self.path)
        if found and found[1] in stories:
            return self.publish(stories[found[1]])
        self.answer(404, {"error": f"nothing at {self.path}"})

    def file(self, body):
        if body.get("desk") not in DESKS:
            return self.answer(422, {"error": f"unknown desk {body.get('desk')!r}", "field": "desk"})
        if not body.get("headline"):
            return self.answer(422, {"error": "a story needs a headline", "field": "headline"})
        status, _, raw = post(AGENT + "/classify", {"text": body.get("text", ""), "desk": body["desk"]})
        with lock:
            story = {
                "id": f"st-{len(stories) + 1}",
                "headline": body["headline"],
                "desk": body["desk"],
                "ref": body.get("ref"),
                "slug": re.sub(r"[^a-z0-9]+", "-", body["headline"].lower()).strip("-"),
                "words": json.loads(raw)["words"] if status == 200 else None,
                "state": "filed",
                "editorToken": "tok-secret-77",
            }
            stories[story["id"]] = story
        append(f"{DIR}/events.jsonl", {"type": "story.filed", "id": story["id"], "ref": story["ref"], "at": now()})
        log("INFO", f"filed {story['id']} ref {story['ref']}")
        self.answer(201, public(story), {"location": f"/stories/{story['id']}"})

    def publish(self, story):
        if story.get("ticket"):
            return self.answer(409, {"error": f"{story['id']} is published already"})
        body = {"id": story["id"], "headline": story["headline"], "ref": story["ref"]}
        status, _, raw = post(WIRE + "/items", body)
        if status != 202:
            return self.answer(502, {"error": "the wire refused"})
        story["ticket"], story["state"] = json.loads(raw)["ticket"], "sent"
        append(f"{DIR}/events.jsonl", {"type": "story.sent", "id": story["id"], "at": now()})
        log("INFO", f"sent {story['id']} ref {story['ref']} as {story['ticket']}")
        self.answer(200, {"id": story["id"], "ticket": story["ticket"], "state": "sent"})

    def rpc(self, raw):
        """JSON-RPC over HTTP: whatever happens, the status is 200."""
        try:
            request = json.loads(raw)
            method, params, id = request["method"], request.get("params") or {}, request.get("id")
        except (ValueError, KeyError, TypeError):
            return self.answer(200, {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "parse error"}})
        answer = {"jsonrpc": "2.0", "id": id}
        with lock:
            if method == "archive.put":
                version = archive.get(params["key"], {"version": 0})["version"] + 1
                archive[params["key"]] = {"version": version, "value": params.get("value")}
                answer["result"] = {"stored": True, "version": version}
            elif method == "archive.get" and params.get("key") in archive:
                answer["result"] = archive[params["key"]]
            elif method == "archive.get":
                answer["error"] = {"code": -32004, "message": "no such clipping"}
            elif method == "archive.flush":
                answer["result"] = {"flushed": True, "count": len(archive)}
            else:
                answer["error"] = {"code": -32601, "message": f"no method {method}"}
        self.answer(200, answer)


serve(Gateway)
