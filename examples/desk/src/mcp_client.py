"""Calls tools over MCP, streamable HTTP: one JSON-RPC request in each POST."""

import http.client
import itertools
import json
from urllib.parse import urlsplit


class ToolsFailed(Exception):
    pass


class McpClient:
    def __init__(self, url):
        self.url = urlsplit(url)
        self.ids = itertools.count(1)
        self.offered = None

    def tools(self):
        """The tools as the model wants them; the server is greeted before the first question."""
        if self.offered is None:
            client = {"name": "worker", "version": "1"}
            about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
            self.request("initialize", about)
            self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})
            self.offered = [
                {
                    "type": "function",
                    "function": {
                        "name": tool["name"],
                        "description": tool["description"],
                        "parameters": tool["inputSchema"],
                    },
                }
                for tool in self.request("tools/list", {})["tools"]
            ]
        return self.offered

    def call(self, tool, arguments, ticket):
        """Whether it worked, and its text."""
        params = {"name": tool, "arguments": arguments, "_meta": {"ticket": ticket}}
        result = self.request("tools/call", params)
        return not result.get("isError", False), result["content"][0]["text"]

    def request(self, method, params):
        answer = self.post({"jsonrpc": "2.0", "id": next(self.ids), "method": method, "params": params})
        if answer is None or "result" not in answer:
            raise ToolsFailed(f"the tools refused {method}")
        return answer["result"]

    def post(self, message):
        connection = http.client.HTTPConnection(self.url.hostname, self.url.port, timeout=10)
        headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        try:
            connection.request("POST", "/mcp", json.dumps(message), headers)
            response = connection.getresponse()
            body = response.read()
            if response.status not in (200, 202):
                raise ToolsFailed(f"the tools answered {response.status}")
            return json.loads(body) if body else None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise ToolsFailed(f"the tools could not be asked: {error}") from error
        finally:
            connection.close()
