"""Tests of our own in pytest, beside the trials: for what is easier to say in Python."""

import json
import urllib.error
import urllib.request

import pytest


def send(method, url, body, **headers):
    data = json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json", **headers}, method=method)
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer.status


def test_a_customer_is_stored_with_the_orders(shakedown_environment):
    orders = [{"id": "o-pytest-1", "item": "lamp", "amount": 1999}]
    body = {"name": "Py Test", "email": "py@example.com", "orders": orders}
    assert send("PUT", shakedown_environment.url("api") + "/customers/c-pytest", body) == 200
    [customer] = shakedown_environment.rows("db.customers", where={"id": "c-pytest"})
    assert customer["email"] == "py@example.com"


def test_a_stranger_leaves_no_ticket(shakedown_environment):
    ticket = {"customer": "c-nobody-pytest", "subject": "hello", "text": "who am I?"}
    with pytest.raises(urllib.error.HTTPError, match="422"):
        send("POST", shakedown_environment.url("api") + "/tickets", ticket, **{"idempotency-key": "pytest"})
    assert shakedown_environment.rows("db.tickets", where={"customer_id": "c-nobody-pytest"}) == []
