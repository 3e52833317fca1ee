"""Tells customers that their tickets are answered: takes notifications from Redis and hands them to the mailer."""

import json
import time
import urllib.error
import urllib.request

import queues
from defects import has
from program import end_on_sigterm, log, setting
from store import Store

ATTEMPTS = 3

store = Store()


def notify(notification):
    customer = "c-first" if has("wrong-recipient") else notification["customer"]
    to = store.row("SELECT email FROM customers WHERE id = %s", customer)["email"]
    message = {"to": to, "ticket": notification["ticket"], "text": notification["text"]}
    for attempt in range(1, ATTEMPTS + 1):
        status = post(message)
        if status < 300 or has("dropped-when-busy"):
            break
        log("WARN", f"the mailer answered {status}, attempt {attempt}")
        time.sleep(0.1)
    else:
        log("WARN", f"ticket {notification['ticket']}: nobody was notified")
        return
    if has("notifies-twice"):
        post(message)
    with store.transaction() as work:
        work.audit("notifier", "notified", notification["ticket"])
    log("INFO", f"ticket {notification['ticket']}: the customer was notified")


def post(message):
    request = urllib.request.Request(
        f"{setting('MAILER_URL')}/messages",
        data=json.dumps(message).encode(),
        headers={"content-type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status
    except urllib.error.HTTPError as refusal:
        return refusal.code
    except OSError as error:
        log("WARN", f"the mailer could not be reached: {error}")
        return 503


end_on_sigterm()
client = queues.connect()
log("INFO", "the notifier is ready")
while True:
    taken = queues.take_notification(client)
    if taken:
        notify(taken)
