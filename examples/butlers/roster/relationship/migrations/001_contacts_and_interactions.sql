CREATE TABLE contacts (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session   text,
  name      text NOT NULL,
  relation  text,
  birthday  date,
  added_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE interactions (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session   text,
  contact   text NOT NULL,
  kind      text NOT NULL CHECK (kind IN ('met', 'called', 'wrote')),
  summary   text,
  logged_at timestamptz NOT NULL DEFAULT now()
);
