const { default: pg } = await import(process.env.PG_MODULE);
const client = new pg.Client(process.env.ADMIN);
await client.connect();
await client.query(`
  SET search_path TO office;
  CREATE TYPE booking_status AS ENUM ('held', 'paid', 'boarded', 'void');
  CREATE TABLE crossings(
    id text PRIMARY KEY, vessel text NOT NULL, seats int NOT NULL CHECK (seats >= 0),
    leaves timestamptz NOT NULL, open boolean NOT NULL DEFAULT true);
  CREATE TABLE bookings(
    id serial PRIMARY KEY, crossing text NOT NULL REFERENCES crossings, passenger text NOT NULL,
    seats int NOT NULL CHECK (seats BETWEEN 1 AND 9), class text NOT NULL CHECK (class IN ('deck', 'lounge')),
    fare_cents int NOT NULL CHECK (fare_cents >= 0), status booking_status NOT NULL DEFAULT 'held',
    remark varchar(80), charge text, booked_at timestamptz NOT NULL DEFAULT now());
  INSERT INTO crossings VALUES
    ('K1', 'Alma', 20, '2031-05-01T08:00:00Z', true), ('K2', 'Berta', 3, '2031-05-01T10:00:00Z', true),
    ('K3', 'Alma', 20, '2031-05-02T08:00:00Z', false);
  GRANT ALL ON ALL TABLES IN SCHEMA office TO PUBLIC;
  GRANT ALL ON ALL SEQUENCES IN SCHEMA office TO PUBLIC`);
await client.end();
