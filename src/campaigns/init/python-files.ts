/** The files that `init --python` writes: FastAPI, a worker, Redis between them, and a trial that passes as it is. */

const shakedownYaml = `# yaml-language-server: $schema=node_modules/shakedown/schema/system.schema.json
# What the system is made of. Every word in \${…} is filled in when a program starts.
name: hello

resources:
  # A real Redis for each environment: the redis-server on PATH. Or one of yours: add url: redis://127.0.0.1:6379
  queue: { kind: redis }

services:
  api:
    run: { python: .venv, module: uvicorn, args: ["api:app", --host, 127.0.0.1, --port, "\${self.port}"] }
    listen: { auto: true } # a free port is chosen; the program gets it from \${self.port}
    env: { REDIS_URL: "\${queue.url}" } # this makes an edge, api -> queue, which Shakedown watches
    ready: { http: /health }

  worker:
    run: { python: .venv, script: worker.py }
    env: { REDIS_URL: "\${queue.url}" }
    ready: { log: waiting for texts }
`;

const api = `"""Takes texts, has a worker count their words, and gives the result.

POST /texts      {"text": "…"}    gives an id
GET  /texts/ID                    gives the state, and the count when it is done
"""

import os
import uuid

import redis
from fastapi import FastAPI, HTTPException
from pydantic import BaseModel

app = FastAPI()
store = redis.Redis.from_url(os.environ["REDIS_URL"], decode_responses=True)


class Text(BaseModel):
    text: str


@app.get("/health")
def health():
    return {"status": "ok", "store": store.ping()}


@app.post("/texts", status_code=202)
def accept(text: Text):
    id = uuid.uuid4().hex
    store.hset(f"text:{id}", mapping={"state": "waiting", "text": text.text})
    store.rpush("waiting", id)
    return {"id": id, "state": "waiting"}


@app.get("/texts/{id}")
def look(id: str):
    found = store.hgetall(f"text:{id}")
    if not found:
        raise HTTPException(404, "no such text")
    return found
`;

const worker = `"""Counts the words of one text after the other."""

import os

import redis

store = redis.Redis.from_url(os.environ["REDIS_URL"], decode_responses=True)
store.ping()
print("waiting for texts", flush=True)
while True:
    taken = store.blpop(["waiting"], timeout=1)  # shorter than what the client itself waits
    if taken is None:
        continue
    key = f"text:{taken[1]}"
    words = len(store.hget(key, "text").split())
    store.hset(key, mapping={"state": "done", "words": words})
    print(f"counted {words} words", flush=True)
`;

const firstTrial = `# yaml-language-server: $schema=../node_modules/shakedown/schema/trial.schema.json
# A trial says what is done to the system, and what must be true then. Perform it: shakedown run
id: first
title: A text is accepted, and its words are counted once
tags: [smoke]

steps: # what is done, one after the other, from outside
  - http: POST api/texts # METHOD service/path
    json: { text: all hands on deck }
    as: accepted # the name of what came back
    expect: { status: 202, json: { state: waiting } } # the attempt ends here when this does not hold

checks: # what must be true; each has a verdict of its own
  counted:
    redis: queue # a look into the store itself
    key: "text:\${accepted.json.id}"
    expect: [{ value: { state: done, words: "4" } }]
    within: 10s # it is looked at until it holds

  once:
    logs: worker # what a service wrote
    match: ^counted 4 words$
    count: 1
    within: 10s
`;

const readme = `# Hello

An API (FastAPI), a worker, and a Redis between them.

    python3 -m venv .venv && .venv/bin/pip install -r requirements.txt
    shakedown run         boot everything, perform the trials, judge them, take everything down
    shakedown sabotage    prove that the checks can fail
    shakedown up          boot everything and hold it open; Ctrl-C takes it down
    shakedown doctor      what this machine can do, and what is missing, such as redis-server

Now see it fail: write \`words + 1\` in \`worker.py\`, and run it again. Then make it yours: your programs go under \`services:\` in
\`shakedown.yaml\`, migrations under \`jobs:\`, what must be true into \`trials/*.trial.yaml\`. Tests that you already have:
\`shakedown up -- .venv/bin/pytest\`.
`;

const requirements = `fastapi>=0.110
uvicorn>=0.29
redis>=5
`;

/** Path below the project's folder to content. */
export const pythonFiles: ReadonlyMap<string, string> = new Map([
  ['shakedown.yaml', shakedownYaml],
  ['api.py', api],
  ['worker.py', worker],
  ['requirements.txt', requirements],
  ['trials/first.trial.yaml', firstTrial],
  ['README.md', readme],
]);
