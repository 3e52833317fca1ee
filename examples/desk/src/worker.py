"""Takes tickets from the queue, works on each with the model and the tools, and writes down what came of it."""

import json
import threading
import time

import model_client
import queues
from defects import has
from mcp_client import McpClient, ToolsFailed
from program import end_on_sigterm, log, setting
from store import Store

MOST_TURNS = 8
PROMPT = "You answer for the support desk of a shop. The customer is {customer}. Amounts are in cents."

store = Store()
shared = {}  # only with defects


class Worker(threading.Thread):
    """One of several that work side by side; each has its name in the group, and its own line to the tools."""

    def __init__(self, name):
        super().__init__(name=name, daemon=True)
        self.client = queues.connect()
        self.failed = False
        self.tools = McpClient(setting("TOOLS_URL"))

    def run(self):
        after = "0"  # first what this worker took before it was stopped
        while True:
            taken = queues.take_job(self.client, self.name, after)
            if taken is None:
                after = ">"
                continue
            entry, job = taken
            if has("acks-before-work"):
                queues.finish_job(self.client, entry)
            self.work_on(job)
            if not has("acks-before-work") and not (self.failed and has("keeps-failed-jobs")):
                queues.finish_job(self.client, entry)

    def work_on(self, job):
        ticket = store.row("SELECT id, text, status FROM tickets WHERE id = %s", job["ticket"])
        if ticket is None or ticket["status"] == "closed":
            return
        self.failed = False
        shared["ticket"] = ticket["id"]
        store.write("UPDATE tickets SET status = 'working' WHERE id = %s", ticket["id"])
        queues.report(self.client, ticket["id"], "working")
        try:
            answer = self.converse(ticket, job["customer"])
        except (model_client.ModelFailed, ToolsFailed) as error:
            if not has("failure-hidden"):
                self.failed = True
                self.fail(ticket["id"], str(error))
                return
            answer = "We are looking into it."
        self.answer(ticket["id"], job["customer"], answer)

    def converse(self, ticket, customer):
        """Model and tools take turns until the model has an answer."""
        messages = [
            {"role": "system", "content": PROMPT.format(customer=customer)},
            {"role": "user", "content": ticket["text"]},
            *self.said_before(ticket["id"]),
        ]
        for _ in range(MOST_TURNS):
            said = model_client.ask(messages, self.tools.tools())
            if not said.get("tool_calls"):
                return said["content"]
            messages.append({"role": "assistant", "content": said.get("content"), "tool_calls": said["tool_calls"]})
            for call in said["tool_calls"]:
                result = self.use_tool(ticket["id"], customer, call["function"])
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
        raise model_client.ModelFailed("the model did not come to an end")

    def said_before(self, ticket):
        roles = {"desk": "assistant", "customer": "user"}
        said = store.rows("SELECT author, text FROM replies WHERE ticket_id = %s ORDER BY id", ticket)
        return [{"role": roles[one["author"]], "content": one["text"]} for one in said]

    def use_tool(self, ticket, customer, function):
        tool, arguments = function["name"], json.loads(function["arguments"])
        queues.report(self.client, ticket, "tool", tool=tool)
        ok, text = self.tools.call(tool, self.broken(arguments, customer), ticket)
        if has("tool-errors-ignored") and not ok:
            ok, text = True, "done"
        store.write(
            "INSERT INTO actions (ticket_id, tool, arguments, ok, result) VALUES (%s, %s, %s, %s, %s)",
            ticket, tool, json.dumps(arguments), ok, text,
        )
        if has("tool-result-lost"):
            return ""
        return text if ok else f"error: {text}"

    def broken(self, arguments, customer):
        if has("asks-for-another") and "customer" in arguments:
            before, shared["customer"] = shared.get("customer", "c-first"), customer
            return {**arguments, "customer": before}
        if has("amount-rounded") and "amount" in arguments:
            return {**arguments, "amount": arguments["amount"] // 100 * 100}
        return arguments

    def answer(self, ticket, customer, text):
        kept = text[:60] if has("reply-truncated") else text
        replied = shared["ticket"] if has("answers-swapped") else ticket
        row, value = ("id", ticket) if not has("updates-wrong-row") else ("customer_id", customer)
        with store.transaction() as work:
            work.write("INSERT INTO replies (ticket_id, author, text) VALUES (%s, 'desk', %s)", replied, kept)
            work.write(f"UPDATE tickets SET status = 'answered', reason = NULL WHERE {row} = %s", value)
            if not has("audit-forgotten"):
                work.audit("worker", "answered", ticket)
        if has("commits-twice"):
            time.sleep(0.2)
            store.write("INSERT INTO replies (ticket_id, author, text) VALUES (%s, 'desk', %s)", replied, kept)
        queues.report(self.client, ticket, "answered")
        queues.put_notification(self.client, {"ticket": ticket, "customer": customer, "text": text})
        log("INFO", f"ticket {ticket} is answered")

    def fail(self, ticket, reason):
        with store.transaction() as work:
            work.write("UPDATE tickets SET status = 'failed', reason = %s WHERE id = %s", reason, ticket)
            work.audit("worker", "failed", ticket)
        queues.report(self.client, ticket, "failed", reason=reason)
        log("WARN", f"ticket {ticket} has failed: {reason}")


end_on_sigterm()
queues.make_group(queues.connect())
workers = [Worker(f"worker-{number}") for number in (1, 2)]
for worker in workers:
    worker.start()
log("INFO", "the worker is ready")
while all(worker.is_alive() for worker in workers):
    time.sleep(0.2)
raise SystemExit("FATAL a worker has ended")
