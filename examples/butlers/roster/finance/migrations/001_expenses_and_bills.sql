CREATE TABLE expenses (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session   text,
  amount    numeric(12, 2) NOT NULL CHECK (amount > 0),
  currency  text NOT NULL,
  item      text NOT NULL,
  added_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE bills (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session   text,
  payee     text NOT NULL,
  amount    numeric(12, 2) NOT NULL CHECK (amount > 0),
  currency  text NOT NULL,
  due_on    date,
  added_at  timestamptz NOT NULL DEFAULT now()
);
