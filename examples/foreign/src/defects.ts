/** Named defects. `DEFECT=<name>` replaces one statement of the helpdesk by one that is wrong. */

export interface Defect {
  /** One line: what goes wrong. */
  readonly what: string;
  readonly insert?: string;
  readonly listed?: string;
}

export const defects: Readonly<Record<string, Defect>> = {
  'lost-ticket': {
    what: 'a ticket is confirmed, and not stored',
    insert: `SELECT '1' AS id, $1 AS customer, $2 AS title, false AS closed`,
  },
  'everybodys-tickets': {
    what: 'a customer who lists their tickets sees the tickets of all customers',
    listed: `customer <> '' OR customer = $1`,
  },
};
