/** Signs an event as the messaging service does, for trials and by hand: `node src/sign-event.ts '{"event_id":"1",…}'`. */
import { sign } from './channel/signature.ts';
import { parseObject } from './wire/json.ts';

const { WEBHOOK_SECRET: secret = 'hook-secret', AGE_S: ageS = '0' } = process.env;
const event = parseObject(process.argv[2] ?? '');
if (event) {
  const sentAt = Math.floor(Date.now() / 1_000) - Number(ageS);
  const body = JSON.stringify({ type: 'message', sent_at: sentAt, ...event });
  console.log(JSON.stringify({ body, signature: sign(body, secret) }));
} else {
  console.error(`which event? node src/sign-event.ts '{"event_id":"1","from":"ada","text":"Hello"}'`);
  process.exitCode = 2;
}
