"""The front door: customers of the shop, their tickets, replies, and a stream of a ticket's progress."""

import time
import uuid

import queues
from defects import has
from http_service import Events, Refusal, serve
from program import end_on_sigterm, log
from store import Store

LONGEST_STREAM = 60
ENDS = ("answered", "failed", "closed")

end_on_sigterm()
store = Store()
client = queues.connect()
remembered = {}  # only with defects


def put_customer(request, customer):
    """The shop tells us about a customer and her orders."""
    wanted = request.json()
    with store.transaction() as work:
        work.write(
            "INSERT INTO customers (id, name, email) VALUES (%s, %s, %s)"
            " ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name, email = EXCLUDED.email",
            customer, text_of(wanted, "name"), text_of(wanted, "email"),
        )
        for order in wanted.get("orders", []):
            work.write(
                "INSERT INTO orders (id, customer_id, item, amount) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING",
                order["id"], customer, order["item"], order["amount"],
            )
    return 200, {"id": customer}


def create_ticket(request):
    wanted = request.json()
    customer, subject, text = (text_of(wanted, name) for name in ("customer", "subject", "text"))
    key = None if has("key-ignored") else request.headers.get("idempotency-key")
    if not store.row("SELECT id FROM customers WHERE id = %s", customer):
        raise Refusal(422, f"there is no customer {customer}")
    with store.transaction() as work:
        ticket = work.row(
            "INSERT INTO tickets (id, customer_id, subject, text, idempotency_key) VALUES (%s, %s, %s, %s, %s)"
            " ON CONFLICT (idempotency_key) DO NOTHING RETURNING id, status",
            str(uuid.uuid4()), customer, subject, subject if has("subject-for-text") else text, key,
        )
        if ticket:
            work.audit("api", "created", ticket["id"])
    if not ticket:
        first = store.row("SELECT id, status FROM tickets WHERE idempotency_key = %s", key)
        return 200, {**first, "duplicate": True}
    queue(ticket["id"], customer)
    log("INFO", f"ticket {ticket['id']} was created")
    return 201, {**ticket, "duplicate": False}


def queue(ticket, customer):
    if has("queued-for-another"):
        before, remembered["customer"] = remembered.get("customer", "c-first"), customer
        customer = before
    queues.report(client, ticket, "queued")
    queues.put_job(client, ticket, customer)
    if has("queued-twice"):
        queues.put_job(client, ticket, customer)


def read_ticket(_, ticket):
    if has("stale-read") and ticket in remembered:
        return 200, remembered[ticket]
    found = find(ticket)
    replies = store.rows("SELECT author, text FROM replies WHERE ticket_id = %s ORDER BY id", ticket)
    remembered[ticket] = {**found, "replies": replies}
    return 200, remembered[ticket]


def list_tickets(request):
    customer = request.query.get("customer")
    if not customer:
        raise Refusal(400, "customer is missing")
    if has("lists-everyone"):
        found = store.rows("SELECT id, subject, status FROM tickets ORDER BY created_at")
    else:
        found = store.rows(
            "SELECT id, subject, status FROM tickets WHERE customer_id = %s ORDER BY created_at", customer
        )
    return 200, {"tickets": found}


def reply(request, ticket):
    text = text_of(request.json(), "text")
    customer = find_open(ticket)["customer"]
    with store.transaction() as work:
        work.write("INSERT INTO replies (ticket_id, author, text) VALUES (%s, 'customer', %s)", ticket, text)
        work.write("UPDATE tickets SET status = 'queued' WHERE id = %s", ticket)
        work.audit("api", "replied", ticket)
    queue(ticket, customer)
    return 202, {"id": ticket, "status": "queued"}


def approve(request, ticket):
    """Somebody of the shop allows a large refund; the ticket is worked on again."""
    somebody = text_of(request.json(), "by")
    customer = find_open(ticket)["customer"]
    with store.transaction() as work:
        work.write("UPDATE tickets SET status = 'queued', approved_by = %s WHERE id = %s", somebody, ticket)
        work.audit("api", "approved", ticket)
    queue(ticket, customer)
    return 202, {"id": ticket, "status": "queued"}


def close(_, ticket):
    customer = find_open(ticket)["customer"]
    if has("closes-another"):
        oldest = "SELECT id FROM tickets WHERE customer_id = %s ORDER BY created_at LIMIT 1"
        ticket = store.row(oldest, customer)["id"]
    with store.transaction() as work:
        closed = work.row("UPDATE tickets SET status = 'closed' WHERE id = %s RETURNING id, status", ticket)
        work.audit("api", "closed", closed["id"])
    queues.report(client, closed["id"], "closed")
    return 200, closed


def stream(_, ticket):
    find(ticket)
    return 200, Events(progress_of(ticket))


def progress_of(ticket):
    """What was reported so far, and what follows, until the work on the ticket is over."""
    last, step, deadline = "0", None, time.monotonic() + LONGEST_STREAM
    while step not in ENDS and time.monotonic() < deadline:
        for last, reported in queues.read_progress(client, ticket, last):
            step = reported["step"]
            if has("failure-streamed-as-answer") and step == "failed":
                reported = {"step": "answered"}
            yield reported


def find(ticket):
    found = store.row(
        "SELECT id, customer_id AS customer, subject, text, status, reason FROM tickets WHERE id = %s", ticket
    )
    if not found:
        raise Refusal(404, f"there is no ticket {ticket}")
    return found


def find_open(ticket):
    found = find(ticket)
    if found["status"] == "closed" and not has("closed-takes-replies"):
        raise Refusal(409, "the ticket is closed")
    return found


def text_of(wanted, name):
    value = wanted.get(name)
    if not isinstance(value, str) or not value.strip():
        raise Refusal(400, f"{name} is missing")
    return value


serve(
    {
        "GET /health": lambda _: (200, {"status": "ok"}),
        "PUT /customers/([^/]+)": put_customer,
        "POST /tickets": create_ticket,
        "GET /tickets": list_tickets,
        "GET /tickets/([^/]+)": read_ticket,
        "GET /tickets/([^/]+)/events": stream,
        "POST /tickets/([^/]+)/replies": reply,
        "POST /tickets/([^/]+)/approve": approve,
        "POST /tickets/([^/]+)/close": close,
    }
)
