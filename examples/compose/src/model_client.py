"""Asks the model, in the chat dialect of OpenAI; a refusal that may pass is retried, a little later."""

import json
import os
import time
import urllib.error
import urllib.request

from program import has, log

ATTEMPTS = 3
SEARCH = {
    "type": "function",
    "function": {
        "name": "search_documents",
        "description": "Finds documents of the same team by a word of their titles.",
        "parameters": {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
    },
}


class ModelFailed(Exception):
    pass


def ask(messages):
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return post({"model": "gpt-4o-mini", "messages": messages, "tools": [SEARCH]})
        except urllib.error.HTTPError as refusal:
            may_pass = refusal.code == 429 or refusal.code >= 500
            if not may_pass or attempt == ATTEMPTS or has("gives-up-at-once"):
                raise ModelFailed(f"the model answered {refusal.code}") from refusal
            log("WARN", f"the model answered {refusal.code}, attempt {attempt}")
            time.sleep(min(float(refusal.headers.get("retry-after") or 0.1), 1.0))
        except (OSError, ValueError, LookupError) as error:
            raise ModelFailed(f"the model could not be asked: {error}") from error
    raise AssertionError("unreachable")


def post(body):
    request = urllib.request.Request(
        f"{os.environ['OPENAI_BASE_URL']}/chat/completions",
        data=json.dumps(body).encode(),
        headers={
            "authorization": f"Bearer {os.environ.get('OPENAI_API_KEY', '')}",
            "content-type": "application/json",
        },
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)["choices"][0]["message"]
