/** A service that `init` writes: it keeps something and calls nobody. */
export const ledgerProgram = `// The ledger keeps the names of all guests, one on each line of a file.
//   POST /guests  with a name as the body: writes it down
//   GET  /guests  gives all names, as JSON
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const file = process.env.LEDGER_FILE;
appendFileSync(file, ''); // so that it is there to be read

const server = createServer(async (request, response) => {
  if (request.url === '/health') return response.end('ok');
  if (request.url !== '/guests') return response.writeHead(404).end('try /guests');
  if (request.method === 'POST') {
    let name = '';
    for await (const part of request) name += part;
    appendFileSync(file, name.replaceAll('\\n', ' ') + '\\n');
    console.log('wrote down ' + name);
  }
  const names = readFileSync(file, 'utf8').split('\\n').slice(0, -1);
  response.end(JSON.stringify(names));
});
server.listen(process.env.PORT, '127.0.0.1', () => console.log('the ledger is open'));
`;
