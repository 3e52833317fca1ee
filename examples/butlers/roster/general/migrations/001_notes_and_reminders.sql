CREATE TABLE notes (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session   text,
  text      text NOT NULL,
  added_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE reminders (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session   text,
  text      text NOT NULL,
  due_on    date,
  added_at  timestamptz NOT NULL DEFAULT now()
);
