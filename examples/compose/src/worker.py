"""Takes documents from the queue; a model that may search the others of the team digests each, and the digest is stored."""

import json

from model_client import ModelFailed, ask
from program import DOING, JOBS, database, end_on_sigterm, has, log, queue

MOST_TURNS = 6
PROMPT = 'Digest the document. Answer with JSON alone: {"summary": "…", "tags": ["…"]}.'


def digest(document):
    """Model and tool take turns until the model has a digest."""
    messages = [
        {"role": "system", "content": PROMPT},
        {"role": "user", "content": f"{document['title']}\n\n{document['text']}"},
    ]
    for _ in range(MOST_TURNS):
        said = ask(messages)
        if not said.get("tool_calls"):
            return checked(said["content"])
        messages.append({"role": "assistant", "content": said.get("content"), "tool_calls": said["tool_calls"]})
        for call in said["tool_calls"]:
            word = json.loads(call["function"]["arguments"])["word"]
            found = search(document, word)
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": json.dumps(found)})
    raise ModelFailed("the model did not come to an end")


def checked(text):
    try:
        answer = json.loads(text)
        return str(answer["summary"]), [str(tag) for tag in answer["tags"]]
    except (ValueError, LookupError, TypeError) as error:
        raise ModelFailed("the model gave no digest") from error


def search(document, word):
    own = "TRUE" if has("searches-all-teams") else "team = %(team)s"
    with database() as db:
        return db.execute(
            f"SELECT title, summary FROM documents WHERE {own} AND id <> %(id)s"
            " AND title ILIKE '%%' || %(word)s || '%%' ORDER BY created_at",
            {"team": document["team"], "id": document["id"], "word": word},
        ).fetchall()


def work_on(document):
    try:
        summary, tags = digest(document)
    except ModelFailed as failure:
        if has("failure-hidden"):
            store(document, "", [])
            return
        with database() as db:
            db.execute(
                "UPDATE documents SET status = 'failed', reason = %s WHERE id = %s", (str(failure), document["id"])
            )
        log("WARN", f"{document['id']} has failed: {failure}")
        return
    store(document, summary, tags)


def store(document, summary, tags):
    with database() as db:
        for tag in tags[:1] if has("one-tag-kept") else tags:
            db.execute("INSERT INTO tags VALUES (%s, %s) ON CONFLICT DO NOTHING", (document["id"], tag))
        db.execute("UPDATE documents SET status = 'digested', summary = %s WHERE id = %s", (summary, document["id"]))
    log("INFO", f"{document['id']} is digested")


end_on_sigterm()
jobs = queue()
while jobs.lmove(DOING, JOBS, "RIGHT", "RIGHT"):
    pass  # what a worker before this one took, and did not finish
log("INFO", "the worker is ready")
while True:
    taken = jobs.blmove(JOBS, DOING, 1, "RIGHT", "LEFT")
    if taken is None:
        continue
    if has("acks-before-work"):
        jobs.lrem(DOING, 1, taken)
    with database() as db:
        document = db.execute("SELECT id, team, title, text FROM documents WHERE id = %s", (taken,)).fetchone()
    if document:
        work_on(document)
    if not has("acks-before-work"):
        jobs.lrem(DOING, 1, taken)
