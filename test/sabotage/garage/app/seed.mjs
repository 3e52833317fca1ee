const { default: pg } = await import(process.env.PG_MODULE);
const c = new pg.Client(process.env.ADMIN);
await c.connect();
await c.query(`SET search_path TO garage`);
await c.query(
  `CREATE TABLE spots(id text primary key, level int not null, kind text not null, taken boolean not null default false)`,
);
await c.query(`CREATE TABLE tariffs(kind text primary key, cents_per_hour int not null)`);
await c.query(
  `CREATE TABLE sessions(id serial primary key, plate text not null, spot text not null, owner text, note text, status text not null, hold text, minutes int, fee_cents int, charge text, created_at timestamptz not null default now())`,
);
await c.query(`INSERT INTO spots VALUES ('A1',0,'car'),('A2',0,'car'),('B1',1,'van'),('E1',1,'ev')`);
await c.query(`INSERT INTO tariffs VALUES ('car',300),('van',450),('ev',200)`);
await c.query(
  `GRANT ALL ON ALL TABLES IN SCHEMA garage TO PUBLIC; GRANT ALL ON ALL SEQUENCES IN SCHEMA garage TO PUBLIC`,
);
await c.end();
