-- What a butler was asked, what it did and what it answered: one row for each message or heartbeat.
CREATE TABLE sessions (
  id            text PRIMARY KEY,
  trigger       text NOT NULL CHECK (trigger IN ('message', 'heartbeat')),
  event_id      text,
  prompt        text NOT NULL,
  status        text NOT NULL CHECK (status IN ('running', 'done', 'failed')),
  tool_calls    jsonb NOT NULL DEFAULT '[]',
  answer        text,
  error         text,
  input_tokens  integer NOT NULL DEFAULT 0,
  output_tokens integer NOT NULL DEFAULT 0,
  traceparent   text,
  started_at    timestamptz NOT NULL DEFAULT now(),
  ended_at      timestamptz
);
