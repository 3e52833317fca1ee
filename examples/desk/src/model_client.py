"""Asks the model, in the chat dialect of OpenAI; a refusal that may pass is retried, a little later."""

import json
import time
import urllib.error
import urllib.request

from defects import has
from program import log, setting

ATTEMPTS = 3
LONGEST_PAUSE = 1.0


class ModelFailed(Exception):
    pass


def ask(messages, tools):
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return post({"model": setting("MODEL", "gpt-4o-mini"), "messages": messages, "tools": tools})
        except urllib.error.HTTPError as refusal:
            may_pass = refusal.code == 429 or refusal.code >= 500
            if not may_pass or attempt == ATTEMPTS or has("gives-up-at-once"):
                raise ModelFailed(f"the model answered {refusal.code}") from refusal
            log("WARN", f"the model answered {refusal.code}, attempt {attempt}")
            time.sleep(pause_before_retry(refusal))
        except (OSError, ValueError, LookupError) as error:
            raise ModelFailed(f"the model could not be asked: {error}") from error
    raise AssertionError("unreachable")


def post(body):
    request = urllib.request.Request(
        f"{setting('OPENAI_BASE_URL')}/chat/completions",
        data=json.dumps(body).encode(),
        headers={
            "authorization": f"Bearer {setting('OPENAI_API_KEY')}",
            "content-type": "application/json",
        },
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)["choices"][0]["message"]


def pause_before_retry(refusal):
    try:
        wanted = float(refusal.headers.get("retry-after", ""))
    except ValueError:
        wanted = 0.1
    return min(max(wanted, 0.05), LONGEST_PAUSE)
