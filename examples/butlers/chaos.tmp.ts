import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { connectMcp } from './src/mcp/client.ts';
const db = new Client({ connectionString: process.env.DATABASE_URL }); await db.connect();
const base = Number(new URL(process.env.DATABASE_URL!).port);
let delay = 400; let mode = 'ok'; let calls = 0;
const slow = createServer(async (req, res) => { calls++; const chunks: Buffer[] = []; for await (const c of req) chunks.push(c); await sleep(delay); if (mode === '500') { res.writeHead(500).end('boom'); return; } if (mode === 'reset') { req.socket.destroy(); return; } if (mode === 'junk') { res.writeHead(200).end('{"hello":1}'); return; } if (mode === 'loop') { res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ content: [{ type: 'tool_use', id: randomUUID(), name: 'route_to_butler', input: { butler: 'health', text: 'fever' } }, { type: 'tool_use', id: randomUUID(), name: 'symptom_log', input: { name: 'loop', severity: 3 } }], stop_reason: 'tool_use' })); return; } const r = await fetch(`http://127.0.0.1:${base + 1}${req.url}`, { method: 'POST', headers: req.headers as any, body: Buffer.concat(chunks) }); res.writeHead(r.status, { 'content-type': 'application/json' }).end(await r.text()); }).listen(19000, '127.0.0.1');
const procs = new Map<string, ChildProcess>();
const ports: Record<string, number> = { health: 19001, home: 19002, switchboard: 19003 };
const up = async (n: string) => { procs.set(n, spawn('node', n === 'switchboard' ? ['src/switchboard.ts'] : ['src/butler.ts', `roster/${n}`], { env: { ...process.env, PORT: String(ports[n]), DATABASE_URL: `postgres://${n}@127.0.0.1:${base}/postgres`, ANTHROPIC_BASE_URL: 'http://127.0.0.1:19000', BUTLERS: 'health=http://127.0.0.1:19001,home=http://127.0.0.1:19002' }, stdio: 'inherit' })); for (;;) { if (await fetch(`http://127.0.0.1:${ports[n]}/health`).then((r) => r.ok, () => false)) return; await sleep(10); } };
const down = (n: string, s: NodeJS.Signals = 'SIGKILL') => { procs.get(n)!.kill(s); };
for (const n of Object.keys(ports)) await up(n);
let sb = await connectMcp({ url: 'http://127.0.0.1:19003', transport: 'streamable-http' }, 'x');
const ingest = async (text: string) => (await sb.callTool({ name: 'ingest', arguments: { event_id: randomUUID(), channel: 'api', text } })).structuredContent as any;
const tick = async () => JSON.stringify((await sb.callTool({ name: 'heartbeat_tick', arguments: {} })).structuredContent);
const state = async (s: string) => JSON.stringify({ inbox: (await db.query('select status,answer,error from switchboard.inbox where session=$1', [s])).rows[0], routes: (await db.query('select butler,status,error,attempts from switchboard.routes where session=$1', [s])).rows, health: (await db.query('select status,error,jsonb_array_length(tool_calls) n from health.sessions where id=$1', [s])).rows, symptoms: (await db.query('select count(*)::int from health.symptoms where session=$1', [s])).rows[0].count, home: (await db.query('select status,error from home.sessions where id=$1', [s])).rows, settings: (await db.query('select count(*)::int from home.device_settings where session=$1', [s])).rows[0].count });
const settled = async (s: string) => { for (let i = 0; i < 1000; i++) { if ((await db.query('select status from switchboard.inbox where session=$1', [s])).rows[0].status !== 'received') return; await sleep(10); } console.log('NEVER SETTLED'); };
const until = async (q: string, s: string) => { while ((await db.query(q, [s])).rows.length === 0) await sleep(5); };
for (const [n, text] of [['health', 'I have a fever, severity 6'], ['home', 'turn on the hall lamp']] as const) {
  console.log(`== ${n} killed in mid-session (after its first model call), up again, then a heartbeat`);
  let { session: s } = await ingest(text); await until(`select 1 from ${n}.sessions where id=$1`, s); await sleep(600); const t = performance.now(); down(n); await settled(s); console.log('settled after', Math.round(performance.now() - t), 'ms', await state(s)); await up(n); console.log(await tick(), await state(s));
  console.log(`== ${n} restarted at once in mid-session`);
  ({ session: s } = await ingest(text)); await until(`select 1 from ${n}.sessions where id=$1`, s); await sleep(600); down(n); await up(n); await settled(s); console.log(await state(s), await tick(), await state(s));
  console.log(`== ${n} SIGTERM in mid-session`);
  ({ session: s } = await ingest(text)); await until(`select 1 from ${n}.sessions where id=$1`, s); await sleep(600); down(n, 'SIGTERM'); await settled(s); await up(n); console.log(await state(s), await tick(), await state(s));
}
console.log('== switchboard killed in mid-session, up again');
{ const { session: s } = await ingest('I have a fever, severity 6'); await until('select 1 from health.sessions where id=$1', s); await sleep(300); down('switchboard'); await up('switchboard'); await settled(s); console.log(await state(s)); }
sb = await connectMcp({ url: 'http://127.0.0.1:19003', transport: 'streamable-http' }, 'x');
console.log('== switchboard killed before classification');
{ const { session: s } = await ingest('I have a fever, severity 6'); await sleep(100); down('switchboard'); await up('switchboard'); await settled(s); console.log(await state(s)); }
sb = await connectMcp({ url: 'http://127.0.0.1:19003', transport: 'streamable-http' }, 'x');
delay = 5;
for (const m of ['500', 'reset', 'junk', 'loop']) { console.log('== model', m); mode = m; const c = calls; const { session: s } = await ingest('I have a fever, severity 6'); await settled(s); console.log(calls - c, 'calls', await state(s)); mode = 'ok'; console.log(await tick(), await state(s)); }
await sb.close(); await db.end(); slow.close(); for (const n of procs.keys()) down(n, 'SIGTERM');
process.exit(0);
