"""An MCP server (streamable HTTP, by hand) with the newsroom's tools."""
import json
from common import Handler, serve, log

CLIPS = {"bridge": "The bridge opened in 1932.", "harbour": "The harbour froze in 1947."}
TOOLS = {
    "find_clip": {"topic": {"type": "string"}},
    "count_words": {"text": {"type": "string"}},
    "delete_clip": {"topic": {"type": "string"}},
}


def run(name, arguments):
    if name == "find_clip":
        clip = CLIPS.get(arguments.get("topic"))
        return (False, clip) if clip else (True, f"no clip about {arguments.get('topic')}")
    if name == "count_words":
        return False, json.dumps({"words": len(arguments["text"].split())})
    CLIPS.pop(arguments.get("topic"), None)
    return False, "deleted"


class Toolbox(Handler):
    def do_GET(self):
        self.answer(200, {"ok": True}) if self.path == "/health" else self.answer(405)

    def do_DELETE(self):
        self.answer(200)

    def do_POST(self):
        request = json.loads(self.body())
        method, id = request.get("method"), request.get("id")
        if id is None:
            return self.answer(202)
        answer, headers = {"jsonrpc": "2.0", "id": id}, {}
        if method == "initialize":
            headers = {"mcp-session-id": "s-1"}
            answer["result"] = {
                "protocolVersion": request["params"]["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "toolbox", "version": "1.0"},
            }
        elif method == "tools/list":
            answer["result"] = {"tools": [
                {"name": n, "description": n, "inputSchema": {"type": "object", "properties": p}} for n, p in TOOLS.items()
            ]}
        elif method == "tools/call" and request["params"]["name"] in TOOLS:
            refused, text = run(request["params"]["name"], request["params"].get("arguments") or {})
            log("INFO", f"ran {request['params']['name']}")
            answer["result"] = {"content": [{"type": "text", "text": text}], "isError": refused}
        elif method == "tools/call":
            answer["error"] = {"code": -32602, "message": "unknown tool"}
        else:
            answer["error"] = {"code": -32601, "message": f"no method {method}"}
        self.answer(200, answer, headers)


serve(Toolbox)
