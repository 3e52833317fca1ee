-- Every message that was accepted, once for each event id.
CREATE TABLE inbox (
  session     text PRIMARY KEY,
  event_id    text NOT NULL,
  channel     text NOT NULL,
  text        text NOT NULL,
  status      text NOT NULL DEFAULT 'received'
              CHECK (status IN ('received', 'done', 'unrouted', 'undelivered', 'failed')),
  answer      text,
  error       text,
  traceparent text NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  ended_at    timestamptz
);

CREATE UNIQUE INDEX inbox_event_id ON inbox (event_id);

-- Which butlers a message was handed to, and the result there.
CREATE TABLE routes (
  session     text NOT NULL REFERENCES inbox (session),
  butler      text NOT NULL,
  text        text NOT NULL,
  status      text NOT NULL CHECK (status IN ('pending', 'delivered', 'target_unavailable', 'failed')),
  answer      text,
  error       text,
  attempts    integer NOT NULL DEFAULT 0,
  updated_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (session, butler)
);
