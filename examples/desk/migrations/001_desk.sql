CREATE TABLE customers (
  id    text PRIMARY KEY,
  name  text NOT NULL,
  email text NOT NULL
);

CREATE TABLE orders (
  id          text PRIMARY KEY,
  customer_id text NOT NULL REFERENCES customers,
  item        text NOT NULL,
  amount      integer NOT NULL, -- in cents, as all amounts
  refunded    integer NOT NULL DEFAULT 0
);

CREATE TABLE tickets (
  id              text PRIMARY KEY,
  customer_id     text NOT NULL REFERENCES customers,
  subject         text NOT NULL,
  text            text NOT NULL,
  status          text NOT NULL DEFAULT 'queued', -- queued, working, answered, failed, closed
  reason          text,
  approved_by     text,
  idempotency_key text UNIQUE,
  created_at      timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE replies (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  ticket_id  text NOT NULL REFERENCES tickets,
  author     text NOT NULL, -- desk or customer
  text       text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE actions (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  ticket_id text NOT NULL REFERENCES tickets,
  tool      text NOT NULL,
  arguments jsonb NOT NULL,
  ok        boolean NOT NULL,
  result    text NOT NULL
);

CREATE TABLE refunds (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  ticket_id text NOT NULL REFERENCES tickets,
  order_id  text NOT NULL REFERENCES orders,
  amount    integer NOT NULL
);

CREATE TABLE notes (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  ticket_id text NOT NULL REFERENCES tickets,
  text      text NOT NULL
);

CREATE TABLE audit (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  service   text NOT NULL,
  event     text NOT NULL,
  ticket_id text NOT NULL,
  at        timestamptz NOT NULL DEFAULT now()
);

-- A customer who was there before: what belongs to her must never appear in the tickets of others.
INSERT INTO customers VALUES ('c-first', 'Fay First', 'fay@example.com');
INSERT INTO orders VALUES ('o-first', 'c-first', 'umbrella', 1900, 0);
