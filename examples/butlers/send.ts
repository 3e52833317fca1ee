/** Sends one message to the switchboard and shows its result: `node send.ts "I have a bad headache, severity 7"`. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, type Pool } from './src/daemon/database.ts';
import { start } from './src/daemon/serve.ts';
import { required } from './src/daemon/settings.ts';
import { connectMcp } from './src/mcp/client.ts';

const waitMs = 10_000;

type Row = Readonly<Record<string, unknown>>;

await start(async () => {
  const text = process.argv[2];
  if (text === undefined)
    throw new Error('what shall I send? node send.ts "I have a bad headache, severity 7"');
  const database = await openDatabase(required(process.env, 'DATABASE_URL'), 'switchboard.inbox');
  try {
    const { status, session } = await ingest(required(process.env, 'SWITCHBOARD_URL'), text);
    console.log(`message   ${text}\nstatus    ${status}\nsession   ${session}`);
    const message = await waitUntilWorkedOff(database, session);
    console.log(`outcome   ${message.status}\nanswer    ${message.answer ?? message.error}`);
    for (const butler of await butlersOf(database, session)) await show(database, butler, session);
    if (message.status !== 'done') process.exitCode = 1;
  } finally {
    await database.end();
  }
});

async function ingest(url: string, text: string): Promise<{ status: string; session: string }> {
  const client = await connectMcp({ url: url.replace(/\/+$/, ''), transport: 'streamable-http' }, 'send');
  try {
    const event = { event_id: randomUUID(), channel: 'api', text };
    const result = await client.callTool({ name: 'ingest', arguments: event });
    if (result.isError) throw new Error(`the switchboard refused: ${JSON.stringify(result.content)}`);
    return result.structuredContent as { status: string; session: string };
  } finally {
    await client.close();
  }
}

async function waitUntilWorkedOff(database: Pool, session: string): Promise<Row> {
  const deadline = performance.now() + waitMs;
  while (performance.now() < deadline) {
    const found = await database.query<Row>('SELECT * FROM switchboard.inbox WHERE session = $1', [session]);
    const message = found.rows[0];
    if (message !== undefined && message.status !== 'received') return message;
    await sleep(20);
  }
  throw new Error(`session ${session} was not worked off within ${waitMs} ms`);
}

async function butlersOf(database: Pool, session: string): Promise<string[]> {
  const found = await database.query<{ butler: string }>(
    'SELECT butler FROM switchboard.routes WHERE session = $1 ORDER BY butler',
    [session],
  );
  return found.rows.map(({ butler }) => butler);
}

/** Every row that this session left in the butler's own tables. */
async function show(database: Pool, butler: string, session: string): Promise<void> {
  const tables = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
      WHERE table_schema = $1 AND column_name = 'session' ORDER BY table_name`,
    [butler],
  );
  for (const { name } of tables.rows) {
    const found = await database.query<Row>(`SELECT * FROM "${butler}"."${name}" WHERE session = $1`, [
      session,
    ]);
    if (found.rows.length > 0) console.log(`\n${butler}.${name}\n${drawTable(found.rows)}`);
  }
}

function drawTable(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== 'session');
  const lines = [columns, ...rows.map((row) => columns.map((column) => cell(row[column])))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  const drawn = lines.map((line) => line.map((text, index) => text.padEnd(widths[index] ?? 0)).join('  '));
  drawn.splice(1, 0, widths.map((width) => '─'.repeat(width)).join('  '));
  return drawn.map((line) => `  ${line.trimEnd()}`).join('\n');
}

function cell(value: unknown): string {
  if (value === null) return '–';
  return value instanceof Date ? value.toISOString() : String(value);
}
