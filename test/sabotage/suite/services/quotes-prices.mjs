// A tool server over HTTP, or over standard input and output with --stdio: quotes prices, adds numbers, and refuses.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const prices = { tea: 4, cake: 7 };
const schema = { type: 'object' };
const tools = ['quote', 'add', 'refuse', 'repeat'].map((name) => ({ name, inputSchema: schema }));

const methods = {
  initialize: ({ protocolVersion }) => ({
    result: {
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'prices', version: '2.0.0' },
    },
  }),
  'tools/list': () => ({ result: { tools } }),
  'tools/call': ({ name, arguments: given = {} }) => ({ result: callTool(name, given) }),
};

function callTool(name, { item, count, a, b, text }) {
  if (name === 'repeat') return { content: [{ type: 'text', text }] };
  if (name === 'add') return { content: [{ type: 'text', text: String(a + b) }] };
  if (name === 'quote' && prices[item] !== undefined) {
    const quote = { item, count, total: prices[item] * count, offers: [], quoteId: `q-${item}-${count}` };
    return { content: [{ type: 'text', text: JSON.stringify(quote) }], structuredContent: quote };
  }
  return { content: [{ type: 'text', text: 'not today' }], isError: true };
}

function answer({ id, method, params = {} }) {
  if (id === undefined) return undefined;
  const said = methods[method]?.(params) ?? { error: { code: -32601, message: `there is no ${method}` } };
  return JSON.stringify({ jsonrpc: '2.0', id, ...said });
}

if (process.argv.includes('--stdio')) {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const said = answer(JSON.parse(line));
    if (said !== undefined) console.log(said);
  });
} else {
  createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const said = answer(JSON.parse((await request.toArray()).join('')));
    response.writeHead(said === undefined ? 202 : 200, { 'content-type': 'application/json' }).end(said);
  }).listen(process.env.PORT, '127.0.0.1');
}
