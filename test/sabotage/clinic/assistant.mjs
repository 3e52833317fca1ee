// An agent that answers questions of pet owners: it asks a model, and calls the tools that the model asks for.
import { createServer } from 'node:http';

const post = async (url, json, headers = {}) => {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(json) });
  if (!answer.ok) throw new Error(`${answer.status} from ${new URL(url).pathname}`);
  return answer.json();
};
const described = (name, ...keys) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])) } },
});
const tools = [described('find_slot', 'vet'), described('book_visit', 'pet', 'owner', 'key'), described('room_of', 'vet')];

async function answer(text) {
  const messages = [
    { role: 'system', content: 'You are the front desk of a veterinary clinic.' },
    { role: 'user', content: text },
  ];
  for (let turn = 0; turn < 6; turn += 1) {
    const said = await post(`${process.env.OPENAI_BASE_URL}/chat/completions`, { model: 'gpt-4o-mini', max_tokens: 300, messages, tools }, {
      authorization: `Bearer ${process.env.OPENAI_API_KEY}`,
    });
    const { message } = said.choices[0];
    if (!message.tool_calls) return { answer: message.content, turns: turn + 1 };
    messages.push(message);
    for (const { id, function: wanted } of message.tool_calls) {
      const got = await post(`${process.env.TOOLS_URL}/mcp`, {
        jsonrpc: '2.0', id: turn + 1, method: 'tools/call', params: { name: wanted.name, arguments: JSON.parse(wanted.arguments) },
      });
      messages.push({ role: 'tool', tool_call_id: id, content: got.result?.content?.[0]?.text ?? JSON.stringify(got.error) });
    }
  }
  throw new Error('too many turns');
}

createServer(async (request, response) => {
  if (request.url === '/health') return response.end('ok');
  let body = '';
  for await (const part of request) body += part;
  const send = (status, value) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  try {
    const { text } = JSON.parse(body);
    console.log(`INFO asked ${String(text).length} characters`);
    send(200, await answer(text));
  } catch (error) {
    console.log(`WARN ${error.message}`);
    send(502, { error: error.message });
  }
}).listen(process.env.PORT, '127.0.0.1');
