"""The database that all share: a small pool of connections, and the few ways in which the desk uses them."""

from contextlib import contextmanager
from queue import Empty, LifoQueue

import psycopg
from psycopg.rows import dict_row

from program import setting, with_patience


class Transaction:
    """Statements on one connection: all of them happen, or none."""

    def __init__(self, connection):
        self.connection = connection

    def rows(self, statement, *values):
        return self.connection.execute(statement, values).fetchall()

    def row(self, statement, *values):
        return self.connection.execute(statement, values).fetchone()

    def write(self, statement, *values):
        return self.connection.execute(statement, values).rowcount

    def audit(self, service, event, ticket):
        self.write("INSERT INTO audit (service, event, ticket_id) VALUES (%s, %s, %s)", service, event, ticket)


class Store:
    def __init__(self):
        self.url = setting("DATABASE_URL")
        self.idle = LifoQueue()
        with self.connected():
            pass

    def connect(self):
        return psycopg.connect(self.url, autocommit=True, row_factory=dict_row)

    @contextmanager
    def connected(self):
        try:
            connection = self.idle.get_nowait()
        except Empty:
            connection = with_patience(self.connect, psycopg.OperationalError, "the database")
        try:
            yield Transaction(connection)
        finally:
            if not connection.closed:
                self.idle.put(connection)

    @contextmanager
    def transaction(self):
        with self.connected() as transaction, transaction.connection.transaction():
            yield transaction

    def rows(self, statement, *values):
        with self.connected() as one:
            return one.rows(statement, *values)

    def row(self, statement, *values):
        with self.connected() as one:
            return one.row(statement, *values)

    def write(self, statement, *values):
        with self.connected() as one:
            return one.write(statement, *values)
