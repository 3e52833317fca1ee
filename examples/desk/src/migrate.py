"""Creates the tables, once: every file of `migrations` in the order of their names, each in one transaction."""

import pathlib

import psycopg

from program import log, setting

folder = pathlib.Path(__file__).parent.parent / "migrations"

with psycopg.connect(setting("DATABASE_URL"), autocommit=True) as connection:
    connection.execute("CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY)")
    done = {name for (name,) in connection.execute("SELECT name FROM migrations")}
    for file in sorted(folder.glob("*.sql")):
        if file.name in done:
            continue
        with connection.transaction():
            connection.execute(file.read_text())
            connection.execute("INSERT INTO migrations (name) VALUES (%s)", [file.name])
        log("INFO", f"migrated {file.name}")
