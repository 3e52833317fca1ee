/** A helpdesk: tickets are filed, listed and closed over HTTP, kept in PostgreSQL, and confirmed by mail. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { defects } from './defects.ts';
import { confirm } from './mailer.ts';
import { openTickets } from './tickets.ts';

const defect = defects[process.env.DEFECT ?? ''];
const tickets = openTickets(process.env.DATABASE_URL ?? '', defect);

/** A status and a body. */
type Answer = readonly [status: number, body: unknown];

const server = createServer((request, response) => {
  answer(request).then(
    ([status, body]) => send(response, status, body),
    (error: unknown) => {
      console.log(`WARN ${request.method} ${request.url}: ${error instanceof Error ? error.message : error}`);
      send(response, 502, { error: 'unavailable' });
    },
  );
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('listening'));
process.on('SIGTERM', () => process.exit(0));

async function answer(request: IncomingMessage): Promise<Answer> {
  const url = new URL(request.url ?? '/', 'http://desk');
  const [, id] = /^\/tickets\/(\d+)(?:\/close)?$/.exec(url.pathname) ?? [];
  const isClose = url.pathname.endsWith('/close');
  if (url.pathname === '/health') return [200, { status: 'ok', tickets: await tickets.count() }];
  if (url.pathname === '/tickets' && request.method === 'POST') return file(await readJson(request));
  if (url.pathname === '/tickets') return [200, await tickets.of(url.searchParams.get('customer') ?? '')];
  if (id !== undefined && isClose && request.method === 'POST') return close(id);
  if (id !== undefined && !isClose) return found(await tickets.byId(id));
  return [404, { error: 'no such page' }];
}

async function file(wish: unknown): Promise<Answer> {
  const { customer, title } = (wish ?? {}) as { readonly customer?: unknown; readonly title?: unknown };
  if (typeof customer !== 'string' || typeof title !== 'string' || title.trim() === '')
    return [400, { error: 'a ticket needs a customer and a title' }];
  const ticket = await tickets.add(customer, title);
  const mail = await confirm(process.env.MAILER_URL ?? '', customer, ticket.id);
  return [201, { ...ticket, mail }];
}

async function close(id: string): Promise<Answer> {
  if (await tickets.close(id)) return found(await tickets.byId(id));
  return (await tickets.byId(id)) ? [409, { error: 'closed already' }] : found(undefined);
}

function found(ticket: unknown): Answer {
  return ticket === undefined ? [404, { error: 'no such ticket' }] : [200, ticket];
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += chunk;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // the answer says what a ticket needs
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
