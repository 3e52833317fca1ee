import { execSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { connectMcp } from './src/mcp/client.ts';
const db = new Client({ connectionString: process.env.DATABASE_URL }); await db.connect();
const url = process.env.SWITCHBOARD_URL!;
const sb = await connectMcp({ url, transport: 'streamable-http' }, 'verify');
const ingest = async (text: string, event_id: string = randomUUID()) => { const r = await sb.callTool({ name: 'ingest', arguments: { event_id, channel: 'api', text } }); return r.structuredContent as any ?? r; };
const done = async (session: string) => { for (let i = 0; i < 500; i++) { const r = await db.query('select * from switchboard.inbox where session=$1', [session]); if (r.rows[0].status !== 'received') { return { ...r.rows[0], routes: (await db.query('select butler,status,error,attempts,text from switchboard.routes where session=$1 order by butler', [session])).rows }; } await sleep(10); } throw new Error('timeout'); };
const rows = async (q: string, s: string) => (await db.query(`select * from ${q} where session=$1`, [s])).rows;
const say = async (text: string, ...tables: string[]) => { const t = performance.now(); const a = await ingest(text); const d = await done(a.session); console.log('\n>', text, '|', a.status, d.status, Math.round(performance.now() - t) + 'ms', JSON.stringify(d.routes), d.answer ?? d.error); for (const x of tables) console.log('   ', x, JSON.stringify(await rows(x, a.session))); return a.session as string; };
const s1 = await say('I have a bad headache, severity 7', 'health.symptoms');
console.log((await db.query('select * from health.sessions where id=$1', [s1])).rows);
await say('I spent 12.50 euros on lunch', 'finance.expenses');
await say('Yesterday I called my sister Anna about the weekend', 'relationship.interactions');
await say('Please turn off the kitchen light', 'home.device_settings');
await say('Please set the thermostat to 21 °C', 'home.device_settings');
await say('Remind me to buy milk', 'general.reminders');
await say('xyzzy', 'general.notes');
await say('My back hurts, severity 4. I weigh 82.5 kg and I spent 30 dollars on medicine', 'health.symptoms', 'health.measurements', 'finance.expenses');
await say('health: symptom_log name=cough severity=11', 'health.symptoms');
await say('home: chore_add title="mow the lawn" due_on=2026-12-01', 'home.chores');
// duplicates
const ev = randomUUID();
const both = await Promise.all([ingest('I have a bad headache, severity 3', ev), ingest('I have a bad headache, severity 3', ev)]);
console.log('\nduplicates', both, (await done(both[0].session)).status, (await rows('health.symptoms', both[0].session)).length, 'row');
// bad input
console.log('bad', JSON.stringify(await ingest('')), JSON.stringify(await sb.callTool({ name: 'nope', arguments: {} })));
// burst
const t0 = performance.now();
const burst = await Promise.all(Array.from({ length: 30 }, (_, i) => ingest(`I have a fever, severity ${1 + (i % 10)}`)));
await Promise.all(burst.map((b) => done(b.session)));
console.log('burst 30 in', Math.round(performance.now() - t0), 'ms; sessions overlapping in health:', (await db.query(`select count(*) from health.sessions a join health.sessions b on a.id<b.id and a.started_at<b.ended_at and b.started_at<a.ended_at where a.trigger='message' and b.trigger='message'`)).rows[0].count, 'rows', (await db.query(`select count(*) from health.symptoms where name='fever'`)).rows[0].count);
console.log('heartbeat', JSON.stringify((await sb.callTool({ name: 'heartbeat_tick', arguments: {} })).structuredContent));
const pidOf = (port: number) => Number(/pid=(\d+)/.exec(execSync(`ss -ltnpH 'sport = :${port}'`).toString())?.[1]);
const base = Number(new URL(process.env.DATABASE_URL!).port);
const names = ['finance', 'general', 'health', 'home', 'relationship'];
const portOf = (n: string) => base + 2 + names.indexOf(n);
const kids: any[] = [];
const restart = async (n: string, during = async () => {}) => {
  const pid = pidOf(portOf(n)); process.kill(pid, 'SIGKILL'); await sleep(50); await during();
  const c = spawn('node', ['src/butler.ts', `roster/${n}`], { env: { ...process.env, PORT: String(portOf(n)), DATABASE_URL: `postgres://${n}@127.0.0.1:${base}/postgres`, ANTHROPIC_BASE_URL: `http://127.0.0.1:${base + 1}` }, stdio: ['ignore', 'inherit', 'inherit'] });
  kids.push(c);
  for (;;) { const ok = await fetch(`http://127.0.0.1:${portOf(n)}/health`).then((r) => r.ok, () => false); if (ok) break; await sleep(10); }
};
for (const n of ['health', 'home']) {
  const msg = n === 'health' ? 'I have nausea, severity 2' : 'turn on the hall lamp';
  console.log('\nrestart', n); await restart(n); await say(msg, n === 'health' ? 'health.symptoms' : 'home.device_settings');
  console.log('\nkilled', n); let s = '';
  await restart(n, async () => { s = await say(msg); });
  console.log('heartbeat', JSON.stringify((await sb.callTool({ name: 'heartbeat_tick', arguments: {} })).structuredContent), (await done(s)).status, JSON.stringify((await done(s)).routes));
}
const h = await connectMcp({ url: `http://127.0.0.1:${portOf('home')}`, transport: 'sse' }, 'v');
console.log((await h.listTools()).tools.map((t) => t.name), JSON.stringify((await h.callTool({ name: 'heartbeat_tick', arguments: {} })).structuredContent), JSON.stringify(await h.callTool({ name: 'chore_add', arguments: { title: 'x', due_on: 'tomorrow' } })).slice(0, 200), JSON.stringify(await h.callTool({ name: 'chore_add', arguments: { title: 'x' } })).slice(0, 200));
await h.close();
for (const n of names) console.log(n, await (await fetch(`http://127.0.0.1:${portOf(n)}/health`)).text());
console.log('switchboard', await (await fetch(`${url}/health`)).text());
// isolation
const iso = new Client({ connectionString: `postgres://health@127.0.0.1:${base}/postgres` }); await iso.connect(); await iso.query('select * from finance.expenses').catch((e) => console.log('isolation:', e.message)); await iso.end();
// stop time
for (const n of names) { const p = pidOf(portOf(n)); const t = performance.now(); process.kill(p, 'SIGTERM'); while (pidOf(portOf(n)) || (() => { try { process.kill(p, 0); return !execSync(`ps -o stat= -p ${p}`).toString().includes('Z'); } catch { return false; } })()) await sleep(2); console.log('stop', n, Math.round(performance.now() - t), 'ms (incl ss)'); }
await sb.close(); await db.end();
console.log(execSync('tail -n 40 $LOGS/switchboard.log; cat $LOGS/general.log | head -5; grep -h -E "ERROR|WARN" $LOGS/*.log | tail -30').toString());
