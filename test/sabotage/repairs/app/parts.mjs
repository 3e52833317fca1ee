// The stock of spare parts: over HTTP, and as tools for assistants.
import { createServer } from 'node:http';

const stock = new Map([
  ['chain', { name: 'chain', left: 5, cents: 1500 }],
  ['brake', { name: 'brake', left: 2, cents: 900 }],
  ['bell', { name: 'bell', left: 0, cents: 400 }],
]);
const tools = [
  {
    name: 'find_part',
    description: 'how many are left',
    inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  },
  { name: 'list_parts', description: 'all parts', inputSchema: { type: 'object', properties: {} } },
];

function take(name, count) {
  const part = stock.get(name);
  if (part === undefined) return [404, { error: { code: 'unknown_part', message: `no part ${name}` } }];
  if (part.left < count) return [409, { error: { code: 'sold_out', message: `only ${part.left} left` } }];
  part.left -= count;
  console.log(`INFO took ${count} ${name}, ${part.left} left`);
  return [200, { name, taken: count, left: part.left, cents: part.cents * count }];
}

function rpc({ id, method, params }) {
  const reply = (result) => ({ jsonrpc: '2.0', id, result });
  const said = (value, isError = false) =>
    reply({
      content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
      isError,
    });
  if (method === 'initialize')
    return reply({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'parts', version: '2.0.0' },
    });
  if (method === 'ping') return reply({});
  if (method === 'tools/list') return reply({ tools });
  if (method !== 'tools/call')
    return { jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } };
  if (params.name === 'list_parts') return said([...stock.keys()]);
  if (params.name !== 'find_part') return said(`no tool ${params.name}`, true);
  const part = stock.get(params.arguments?.name);
  return part === undefined ? said(`no part ${params.arguments?.name}`, true) : said(part);
}

createServer(async (request, response) => {
  const reply = (status, json) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(json === undefined ? '' : JSON.stringify(json));
  let text = '';
  for await (const piece of request) text += piece;
  const [, what, name] = new URL(request.url, 'http://parts').pathname.split('/');
  if (what === 'health') return reply(200, { ok: true });
  const body = text === '' ? {} : JSON.parse(text);
  if (what === 'mcp') {
    if (request.method !== 'POST') return reply(405);
    return body.id === undefined ? reply(202) : reply(200, rpc(body));
  }
  if (request.method === 'POST') return reply(...take(name, body.count ?? 1));
  const part = stock.get(name);
  reply(part ? 200 : 404, part ?? { error: { code: 'unknown_part', message: `no part ${name}` } });
}).listen(Number(process.env.PORT), '127.0.0.1');
