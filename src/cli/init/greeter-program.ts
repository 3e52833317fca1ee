/** A service that `init` writes: it answers people and calls the ledger over HTTP. */
export const greeterProgram = `// The greeter says hello, after it has had the name written down.
//   GET /hello/Ada  gives: Hello Ada, you are guest number 2.
import { createServer } from 'node:http';

const ledger = process.env.LEDGER_URL;

const server = createServer(async (request, response) => {
  const [, name] = /^\\/hello\\/(\\w+)$/.exec(request.url) ?? [];
  if (request.url === '/health') return response.end('ok');
  if (name === undefined) return response.writeHead(404).end('try /hello/Ada');
  try {
    const answer = await fetch(ledger + '/guests', { method: 'POST', body: name });
    const guests = await answer.json();
    response.end('Hello ' + name + ', you are guest number ' + guests.length + '.');
  } catch (error) {
    console.error('the ledger cannot be asked: ' + error.message);
    response.writeHead(502).end('the ledger cannot be asked');
  }
});
server.listen(process.env.PORT, '127.0.0.1', () => console.log('the greeter is at the door'));
`;
