"""The assistant: asks a model, runs its tools at the toolbox, writes briefs."""
import json, os
from urllib.request import Request, urlopen
from common import Handler, serve, log, append, now, post

DIR, TMP = os.environ["DATA_DIR"], os.environ["SCRATCH_DIR"]
MODEL, KEY, TOOLBOX = os.environ["OPENAI_BASE_URL"], os.environ["OPENAI_API_KEY"], os.environ["TOOLBOX_URL"]
SYSTEM = "HOUSE STYLE: answer from clips only."
TOOLS = [
    {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}}
    for name in ("find_clip", "count_words", "delete_clip")
]


class Tools:
    def __init__(self):
        self.session, self.next = None, 0
        self.ask("initialize", {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "agent", "version": "1"},
        })
        self.ask("notifications/initialized", None)

    def ask(self, method, params):
        body = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            self.next += 1
            body.update(id=self.next, params=params)
        headers = {"mcp-session-id": self.session, "mcp-protocol-version": "2025-06-18"} if self.session else {}
        status, head, raw = post(TOOLBOX + "/mcp", body, headers)
        self.session = self.session or head.get("mcp-session-id")
        return json.loads(raw) if raw else None

    def call(self, name, arguments):
        answer = self.ask("tools/call", {"name": name, "arguments": arguments})
        return answer["result"]["content"][0]["text"]


def ask_model(messages, stream=False):
    body = {"model": "gpt-4o-mini", "max_tokens": 300, "messages": messages, "tools": TOOLS}
    if stream:
        body["stream"] = True
    head = {"content-type": "application/json", "authorization": f"Bearer {KEY}"}
    return urlopen(Request(MODEL + "/chat/completions", json.dumps(body).encode(), head), timeout=8)


def write(name, text):
    os.makedirs(f"{DIR}/out", exist_ok=True)
    with open(f"{TMP}/draft", "w") as f:
        f.write(text)
    os.chmod(f"{TMP}/draft", 0o640)
    os.replace(f"{TMP}/draft", f"{DIR}/out/{name}")


class Agent(Handler):
    def do_GET(self):
        self.answer(200, {"ok": True})

    def do_POST(self):
        body = json.loads(self.body())
        if self.path == "/classify":
            log("INFO", f"classified for {body['desk']}")
            return self.answer(200, {"words": len(body["text"].split()), "desk": body["desk"]})
        if self.path == "/brief":
            return self.brief(body)
        messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": body["question"]}]
        if self.path == "/ask/stream":
            return self.relay(messages)
        used, tools = [], None
        for _ in range(5):
            with ask_model(messages) as answer:
                message = json.load(answer)["choices"][0]["message"]
            if not message.get("tool_calls"):
                break
            messages.append(message)
            tools = tools or Tools()
            for call in message["tool_calls"]:
                name = call["function"]["name"]
                text = tools.call(name, json.loads(call["function"]["arguments"]))
                log("INFO", f"tool {name} used")
                used.append(name)
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": text})
        append(f"{DIR}/turns.jsonl", {"type": "turn", "question": body["question"], "tools": used, "at": now()})
        log("INFO", f"answered after {len(used)} tools")
        self.answer(200, {"answer": message["content"], "tools": used})

    def relay(self, messages):
        with ask_model(messages, stream=True) as source:
            self.stream()
            text = ""
            for line in source:
                line = line.decode().strip()
                if not line.startswith("data: ") or line == "data: [DONE]":
                    continue
                choices = json.loads(line[6:]).get("choices") or []
                piece = choices[0]["delta"].get("content") if choices else None
                if piece:
                    text += piece
                    self.event("token", {"text": piece})
            self.event("done", {"length": len(text), "text": text})
        log("INFO", "streamed an answer")

    def brief(self, body):
        topic = body["topic"]
        write("brief.md", f"---\nstatus: final\ntopic: {topic}\n---\n# {topic}\n\n## Sources\n\n- [x] archive searched\n- [x] clips counted\n")
        write("brief.json", json.dumps({"topic": topic, "sections": ["Sources"], "ready": True}, indent=2))
        write("layout.yaml", "columns: 3\npage: front\nblocks:\n  - headline\n  - lead\n")
        append(f"{DIR}/turns.jsonl", {"type": "brief", "topic": topic, "at": now()})
        log("INFO", "wrote a brief")
        self.answer(200, {"files": ["brief.json", "brief.md", "layout.yaml"]})


serve(Agent)
