"""What passes through Redis: jobs for the worker, the progress of each ticket, notifications for the notifier."""

import json

import redis

from program import setting, with_patience

JOBS = "jobs"
GROUP = "workers"
NOTIFICATIONS = "notifications"


def connect():
    client = redis.Redis.from_url(setting("REDIS_URL"), decode_responses=True)
    with_patience(client.ping, redis.ConnectionError, "redis")
    return client


def put_job(client, ticket, customer):
    client.xadd(JOBS, {"ticket": ticket, "customer": customer})


def make_group(client):
    try:
        client.xgroup_create(JOBS, GROUP, id="0", mkstream=True)
    except redis.ResponseError as error:
        if "BUSYGROUP" not in str(error):
            raise


def take_job(client, consumer, after):
    """The next job: with `0`, one that this consumer took and never finished; with `>`, a new one."""
    taken = client.xreadgroup(GROUP, consumer, {JOBS: after}, count=1, block=1_000)
    entries = taken[0][1] if taken else []
    return entries[0] if entries else None


def finish_job(client, entry):
    client.xack(JOBS, GROUP, entry)


def report(client, ticket, step, **more):
    client.xadd(f"progress:{ticket}", {"step": step, **more})


def read_progress(client, ticket, after):
    read = client.xread({f"progress:{ticket}": after}, block=1_000)
    return read[0][1] if read else []


def put_notification(client, notification):
    client.rpush(NOTIFICATIONS, json.dumps(notification))


def take_notification(client):
    taken = client.blpop(NOTIFICATIONS, timeout=1)
    return json.loads(taken[1]) if taken else None
