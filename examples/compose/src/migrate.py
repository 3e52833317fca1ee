"""The one-shot migration: it makes the tables, and ends."""

from program import database, has, log

STATEMENTS = [
    """CREATE TABLE IF NOT EXISTS documents (
        id text PRIMARY KEY,
        team text NOT NULL,
        title text NOT NULL,
        text text NOT NULL,
        fingerprint text NOT NULL,
        status text NOT NULL DEFAULT 'queued',
        summary text,
        reason text,
        created_at timestamptz NOT NULL DEFAULT now()
    )""",
    """CREATE TABLE IF NOT EXISTS tags (
        document_id text NOT NULL REFERENCES documents,
        tag text NOT NULL,
        PRIMARY KEY (document_id, tag)
    )""",
    "CREATE UNIQUE INDEX IF NOT EXISTS one_of_each ON documents (team, fingerprint)",
]

with database() as db:
    for statement in STATEMENTS[:-1] if has("index-forgotten") else STATEMENTS:
        db.execute(statement)
log("INFO", "migrated")
