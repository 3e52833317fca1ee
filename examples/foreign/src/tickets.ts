/** The tickets, in PostgreSQL. Queries have a short time-out. */
import { Pool } from 'pg';
import type { Defect } from './defects.ts';

export interface Ticket {
  readonly id: string;
  readonly customer: string;
  readonly title: string;
  readonly closed: boolean;
}

export interface Tickets {
  add(customer: string, title: string): Promise<Ticket>;
  byId(id: string): Promise<Ticket | undefined>;
  of(customer: string): Promise<readonly Ticket[]>;
  /** False when there is none that is open. */
  close(id: string): Promise<boolean>;
  count(): Promise<number>;
}

const columns = 'id::text, customer, title, closed';

export function openTickets(connectionString: string, defect: Defect | undefined): Tickets {
  const patience = { connectionTimeoutMillis: 1_500, query_timeout: 1_500 };
  const pool = new Pool({ connectionString, max: 2, ...patience });
  pool.on('error', (error) => console.log(`WARN lost a connection to the database: ${error.message}`));
  const rows = async (text: string, values: readonly string[]): Promise<readonly Ticket[]> =>
    (await pool.query<Ticket>(text, [...values])).rows;
  return {
    add: async (customer, title) => {
      const insert =
        defect?.insert ?? `INSERT INTO tickets (customer, title) VALUES ($1, $2) RETURNING ${columns}`;
      const [ticket] = await rows(insert, [customer, title]);
      if (!ticket) throw new Error('the database did not give the ticket back');
      return ticket;
    },
    byId: async (id) => (await rows(`SELECT ${columns} FROM tickets WHERE id = $1`, [id]))[0],
    of: (customer) => {
      const where = defect?.listed ?? 'customer = $1';
      return rows(`SELECT ${columns} FROM tickets WHERE ${where} ORDER BY id`, [customer]);
    },
    close: async (id) => {
      const closed = await rows(
        `UPDATE tickets SET closed = true WHERE id = $1 AND NOT closed RETURNING ${columns}`,
        [id],
      );
      return closed.length > 0;
    },
    count: async () =>
      Number((await pool.query<{ count: string }>('SELECT count(*) FROM tickets')).rows[0]?.count),
  };
}
