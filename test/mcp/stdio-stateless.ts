/** The server of the stateless era as a program; it knows no `initialize`. */
import { createInterface } from 'node:readline';
import type { Asked } from './http-peer.ts';
import { answerTo } from './stateless-server.ts';

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line) as Asked;
  if (asked.id === undefined) continue;
  const answer = answerTo(asked);
  const body = 'result' in answer ? answer : { error: answer.error };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...body })}\n`);
}
