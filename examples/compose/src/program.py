"""What the three programs do alike: settings, log lines, the two stores, a quick end, and the defects that can be switched on."""

import os
import signal

import psycopg
import redis
from psycopg.rows import dict_row

# As the compose file names them; only who runs the programs in another way says otherwise.
DATABASE_URL = os.environ.get("DATABASE_URL", "postgresql://digest:digest@db:5432/digest")
REDIS_URL = os.environ.get("REDIS_URL", "redis://redis:6379/0")

JOBS, DOING = "jobs", "doing"


def has(defect):
    """`DEFECT=<name>`; what each of them does is said in defects.ts."""
    return os.environ.get("DEFECT") == defect


def log(level, text):
    print(f"{level} {text}", flush=True)


def database():
    return psycopg.connect(DATABASE_URL, row_factory=dict_row)


def queue():
    return redis.Redis.from_url(REDIS_URL, decode_responses=True)


def end_on_sigterm():
    """What was taken and not finished is in the queue."""
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
