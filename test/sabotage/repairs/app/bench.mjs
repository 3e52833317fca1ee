// Takes bicycles in for repair, asks for parts, and writes a slip for each.

import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { PORT, DATA_DIR, PARTS_URL } = process.env;
const jobs = new Map();
mkdirSync(`${DATA_DIR}/slips`, { recursive: true });
const note = (event) =>
  appendFileSync(
    `${DATA_DIR}/history.jsonl`,
    `${JSON.stringify({ at: new Date().toISOString(), ...event })}\n`,
  );

async function open({ owner, faults = [], urgent = false }) {
  if (!owner) return [400, { error: { code: 'no_owner', message: 'owner is required' } }];
  if (!Array.isArray(faults) || faults.length === 0)
    return [422, { error: { code: 'no_fault', message: 'nothing to repair' } }];
  const used = [];
  for (const fault of faults) {
    const answer = await fetch(`${PARTS_URL}/take/${fault}`.replace('/take/', '/parts/'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ count: 1 }),
    });
    const json = await answer.json();
    if (!answer.ok) return [answer.status === 404 ? 422 : 503, { error: { ...json.error, part: fault } }];
    used.push({ part: fault, cents: json.cents });
  }
  const job = {
    id: randomUUID(),
    owner,
    state: 'open',
    urgent,
    parts: used,
    total: used.reduce((sum, { cents }) => sum + cents, urgent ? 2000 : 1000),
    openedAt: new Date().toISOString(),
    notes: [],
    doneAt: null,
  };
  jobs.set(job.id, job);
  writeFileSync(
    `${DATA_DIR}/slips/${job.id}.txt`,
    `${owner}\n${used.map(({ part }) => part).join(', ')}\n${job.total}\n`,
  );
  note({ type: 'opened', job: job.id, total: job.total });
  console.log(`INFO opened ${job.id} for ${owner}, ${used.length} parts`);
  return [201, job];
}

function finish(id) {
  const job = jobs.get(id);
  if (job === undefined) return [404, { error: { code: 'no_job', message: 'no such job' } }];
  if (job.state === 'done') return [409, { error: { code: 'done', message: 'already done' } }];
  Object.assign(job, { state: 'done', doneAt: new Date().toISOString() });
  note({ type: 'done', job: id });
  console.log(`INFO done ${id}`);
  return [200, job];
}

createServer(async (request, response) => {
  let text = '';
  for await (const piece of request) text += piece;
  const url = new URL(request.url, 'http://bench');
  const [, what, id, verb] = url.pathname.split('/');
  const reply = (status, json, headers = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json));
  try {
    if (what === 'health') return reply(200, { ok: true, jobs: jobs.size });
    if (what !== 'jobs') return reply(404, { error: { code: 'no_page', message: 'no such page' } });
    if (request.method === 'POST' && id === undefined) {
      const [status, json] = await open(JSON.parse(text || '{}'));
      return reply(status, json, json.id ? { location: `/jobs/${json.id}` } : {});
    }
    if (verb === 'done') return reply(...finish(id));
    if (id !== undefined)
      return jobs.has(id)
        ? reply(200, jobs.get(id))
        : reply(404, { error: { code: 'no_job', message: 'no such job' } });
    const owner = url.searchParams.get('owner');
    const mine = [...jobs.values()].filter((job) => job.owner === owner);
    reply(200, { jobs: mine, page: 1, pages: 1, total: mine.length });
  } catch (error) {
    reply(400, { error: { code: 'bad_request', message: error.message } });
  }
}).listen(Number(PORT), '127.0.0.1');
