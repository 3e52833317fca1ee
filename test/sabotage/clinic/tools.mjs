// A tool server (MCP over streamable HTTP) in front of the desk. It keeps a table of what it was asked.
import { createServer } from 'node:http';

const { default: pg } = await import(process.env.PG_MODULE);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 2 });
await pool.query('CREATE TABLE IF NOT EXISTS lookups (id serial PRIMARY KEY, tool text NOT NULL, args jsonb NOT NULL)');

const schema = (...required) => ({
  type: 'object',
  properties: Object.fromEntries(required.map((name) => [name, { type: 'string' }])),
  required,
});
const tools = [
  { name: 'find_slot', description: 'the next free slot of a vet', inputSchema: schema('vet') },
  { name: 'book_visit', description: 'books a visit', inputSchema: schema('pet', 'owner') },
  { name: 'room_of', description: 'the room of a vet', inputSchema: schema('vet') },
];
const said = (value, isError = false) => ({ content: [{ type: 'text', text: JSON.stringify(value) }], isError });

async function desk(path, json) {
  const answer = await fetch(`${process.env.DESK_URL}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
  return { status: answer.status, json: await answer.json() };
}

async function call(name, args) {
  if (tools.some((tool) => tool.name === name)) {
    await pool.query('INSERT INTO lookups (tool, args) VALUES ($1, $2)', [name, { ...args, key: undefined }]);
  }
  if (name === 'find_slot') return said({ vet: args.vet, slot: '2031-05-06T09:00:00Z' });
  if (name === 'book_visit') {
    const { status, json } = await desk('/appointments', args);
    return status === 201 ? said({ id: json.id, status: json.status }) : said({ refused: json.error }, true);
  }
  if (name === 'room_of') {
    const { json } = await desk('/rpc', { jsonrpc: '2.0', id: 1, method: 'room.of', params: { vet: args.vet } });
    return json.error ? said({ refused: json.error.message }, true) : said(json.result);
  }
  return undefined;
}

createServer(async (request, response) => {
  if (request.url === '/health') return response.end('ok');
  if (request.method !== 'POST') return response.writeHead(405).end();
  let body = '';
  for await (const part of request) body += part;
  const { id, method, params } = JSON.parse(body);
  const send = (rest) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, ...rest }));
  if (id === undefined) return response.writeHead(202).end();
  if (method === 'initialize') {
    return send({
      result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'clinic-tools', version: '1.0.0' } },
    });
  }
  if (method === 'tools/list') return send({ result: { tools } });
  if (method === 'tools/call') {
    const result = await call(params.name, params.arguments ?? {});
    console.log(`INFO tool ${params.name}`);
    return result ? send({ result }) : send({ error: { code: -32602, message: `no such tool: ${params.name}` } });
  }
  return send({ error: { code: -32601, message: `no such method: ${method}` } });
}).listen(process.env.PORT, '127.0.0.1');
