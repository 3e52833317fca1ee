/** The worker: keeps the files of sessions, in memory or on disk, and runs simulations. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { refusal, serve } from './serve.ts';

const folder = process.env.FILES_FOLDER ?? '';
const onDisk = process.env.STORE === 'disk';
const files = new Map<string, string>();

serve('worker', async ({ method, path, body }) => {
  const [kind, session = '', name = ''] = path;
  if (kind === 'health') return { status: 200, body: { status: 'ok', store: onDisk ? 'disk' : 'memory' } };
  if (kind === 'simulate' && method === 'POST') {
    await pause(80); // long enough for two of them to overlap
    return { status: 200, body: { outcome: 'goal', session } };
  }
  if (kind !== 'files' || !/^[\w.-]+$/.test(`${session}${name}`)) return refusal(404, 'not_found');
  if (method === 'PUT') {
    await keep(session, name, String((body as { text?: unknown } | undefined)?.text ?? ''));
    return { status: 201, body: { kept: name } };
  }
  const text = await read(session, name);
  return text === undefined ? refusal(404, 'not_found') : { status: 200, body: { text } };
});

async function keep(session: string, name: string, text: string): Promise<void> {
  if (!onDisk) return void files.set(`${session}/${name}`, text);
  await mkdir(join(folder, session), { recursive: true });
  await writeFile(join(folder, session, name), text);
}

async function read(session: string, name: string): Promise<string | undefined> {
  if (!onDisk) return files.get(`${session}/${name}`);
  const file = join(folder, session, name);
  return existsSync(file) ? readFile(file, 'utf8') : undefined;
}
