// Sells plants: prints a line and writes a label for each that is sold, and lists what it has; two cannot buy the same one.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { FOLDER, PUBLISHED, PORT } = process.env;
const plants = ['rose', 'fern', 'moss'].map((name, index) => ({ name, height: 10 + index, grower: 'Ida' }));
const sold = new Map();
for (const folder of [`${FOLDER}/labels`, PUBLISHED]) mkdirSync(folder, { recursive: true });

createServer(async (request, response) => {
  const text = (await request.toArray()).join('');
  const answer = (status, value) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  if (request.url === '/health') return answer(200, { open: true });
  if (request.url === '/plants')
    return answer(200, { plants: plants.map(({ name, height }) => ({ name, height })) });
  if (request.url === '/growers') return answer(200, { growers: [{ grower: 'Ida', phone: '555-0101' }] });
  const { plant, buyer } = JSON.parse(text || '{}');
  if (sold.has(plant)) return answer(409, { error: 'gone' });
  sold.set(plant, buyer);
  for (const folder of [`${FOLDER}/labels`, PUBLISHED])
    writeFileSync(`${folder}/${buyer}.txt`, `${plant}\n`, { mode: 0o640 });
  console.log(`INFO sold ${plant} to ${buyer}`);
  answer(201, { plant, number: sold.size });
}).listen(PORT, '127.0.0.1');
