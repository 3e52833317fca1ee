"""The tools of the desk, a server of MCP over streamable HTTP: customers, orders, refunds, notes."""

import json

from defects import has
from http_service import Refusal, serve
from program import end_on_sigterm, log
from store import Store

LARGEST_REFUND = 5_000  # in cents; more needs the approval of somebody

end_on_sigterm()
store = Store()


class ToolRefused(Exception):
    """What the model may read, and act on."""


def lookup_customer(_, customer):
    found = store.row("SELECT id, name, email FROM customers WHERE id = %s", customer)
    if not found:
        raise ToolRefused(f"there is no customer {customer}")
    return found


def list_orders(_, customer):
    lookup_customer(_, customer)
    if has("orders-of-others"):
        return {"orders": store.rows("SELECT id, item, amount, refunded FROM orders ORDER BY id = 'o-first' DESC, id")}
    return {
        "orders": store.rows(
            "SELECT id, item, amount, refunded FROM orders WHERE customer_id = %s ORDER BY id", customer
        )
    }


def refund_order(ticket, order, amount):
    with store.transaction() as work:
        about = work.row("SELECT id, customer_id, approved_by FROM tickets WHERE id = %s", ticket)
        if not about:
            raise ToolRefused("a refund needs a ticket")
        if has("refunds-first-order"):
            order = first_order(work, about["customer_id"])
        found = work.row("SELECT id, customer_id, amount, refunded FROM orders WHERE id = %s FOR UPDATE", order)
        if not found or found["customer_id"] != about["customer_id"]:
            raise ToolRefused(f"the customer has no order {order}")
        left = found["amount"] - found["refunded"]
        if not 0 < amount <= left:
            raise ToolRefused(f"of order {order}, {left} can be refunded")
        is_large = amount >= LARGEST_REFUND if has("limit-off-by-one") else amount > LARGEST_REFUND
        if is_large and not about["approved_by"] and not has("approval-ignored"):
            raise ToolRefused(f"a refund of {amount} needs an approval")
        paid = found["amount"] if has("refunds-everything") else amount
        work.write("UPDATE orders SET refunded = refunded + %s WHERE id = %s", paid, order)
        work.write("INSERT INTO refunds (ticket_id, order_id, amount) VALUES (%s, %s, %s)", ticket, order, paid)
        work.audit("tools", "refunded", ticket)
    log("INFO", f"refunded {amount} of order {order}")
    return {"order": order, "refunded": amount}


def first_order(work, customer):
    return work.row("SELECT id FROM orders WHERE customer_id = %s ORDER BY id LIMIT 1", customer)["id"]


def add_note(ticket, text):
    if not ticket:
        raise ToolRefused("a note needs a ticket")
    if not has("note-lost"):
        store.write("INSERT INTO notes (ticket_id, text) VALUES (%s, %s)", ticket, text)
    return {"noted": True}


def described(function, description, **fields):
    schema = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in fields.items()},
        "required": list(fields),
    }
    return {"function": function, "fields": fields, "about": {"description": description, "inputSchema": schema}}


TOOLS = {
    "lookup_customer": described(lookup_customer, "Name and e-mail of a customer.", customer="string"),
    "list_orders": described(list_orders, "The orders of a customer.", customer="string"),
    "refund_order": described(refund_order, "Pays back a part of an order.", order="string", amount="integer"),
    "add_note": described(add_note, "Leaves a note for colleagues.", text="string"),
}
TYPES = {"string": str, "integer": int}


def call_tool(params):
    tool = TOOLS.get(params.get("name"))
    if not tool:
        raise RpcError(-32602, f"there is no tool {params.get('name')}")
    arguments = params.get("arguments") or {}
    ticket = (params.get("_meta") or {}).get("ticket")
    try:
        for name, kind in tool["fields"].items():
            if type(arguments.get(name)) is not TYPES[kind]:
                raise ToolRefused(f"{name} must be of the type {kind}")
        result = tool["function"](ticket, **{name: arguments[name] for name in tool["fields"]})
    except ToolRefused as refusal:
        log("INFO", f"{params['name']} was refused: {refusal}")
        return {"content": [{"type": "text", "text": str(refusal)}], "isError": True}
    return {"content": [{"type": "text", "text": json.dumps(result)}], "isError": False}


class RpcError(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def initialize(params):
    return {
        "protocolVersion": params.get("protocolVersion", "2025-06-18"),
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "desk-tools", "version": "1"},
    }


METHODS = {
    "initialize": initialize,
    "ping": lambda _: {},
    "tools/list": lambda _: {"tools": [{"name": name, **tool["about"]} for name, tool in TOOLS.items()]},
    "tools/call": call_tool,
}


def answer_rpc(request):
    message = request.json()
    if "id" not in message:
        return 202, None  # a notification
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    method = METHODS.get(message.get("method"))
    if not method:
        return 200, {**reply, "error": {"code": -32601, "message": "there is no such method"}}
    try:
        return 200, {**reply, "result": method(message.get("params") or {})}
    except RpcError as error:
        return 200, {**reply, "error": {"code": error.code, "message": str(error)}}


def no_stream(_):
    raise Refusal(405, "this server sends nothing by itself")


serve(
    {
        "GET /health": lambda _: (200, {"status": "ok"}),
        "POST /mcp": answer_rpc,
        "GET /mcp": no_stream,
        "DELETE /mcp": no_stream,
    }
)
