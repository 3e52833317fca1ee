/** Creates the one table of the helpdesk. */
import { Client } from 'pg';

const client = new Client({ connectionString: process.env.DATABASE_URL, connectionTimeoutMillis: 5_000 });
await client.connect();
await client.query(`CREATE TABLE IF NOT EXISTS tickets (
  id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer text NOT NULL,
  title    text NOT NULL,
  closed   boolean NOT NULL DEFAULT false
)`);
await client.end();
