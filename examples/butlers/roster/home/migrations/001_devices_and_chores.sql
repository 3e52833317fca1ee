CREATE TABLE device_settings (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session   text,
  device    text NOT NULL,
  setting   text NOT NULL,
  set_at    timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE chores (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session   text,
  title     text NOT NULL,
  due_on    date,
  added_at  timestamptz NOT NULL DEFAULT now()
);
