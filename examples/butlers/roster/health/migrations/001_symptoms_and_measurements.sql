CREATE TABLE symptoms (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session   text,
  name      text NOT NULL,
  severity  integer NOT NULL CHECK (severity BETWEEN 1 AND 10),
  notes     text,
  logged_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE measurements (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session   text,
  kind      text NOT NULL,
  value     double precision NOT NULL,
  unit      text NOT NULL,
  logged_at timestamptz NOT NULL DEFAULT now()
);
