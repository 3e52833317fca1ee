/** Turns a password into the form in which PostgreSQL stores it, so that the password itself is in no statement and in no server log. */
import { createHash, createHmac, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import type { Random } from '../../kernel/random.ts';

/** PostgreSQL's own default; some clients refuse fewer. */
const iterations = 4096;
const keyBytes = 32;
const saltBytes = 16;

export async function scramVerifier(password: string, random: Random): Promise<string> {
  const salt = Buffer.from(random.hex(saltBytes * 2), 'hex');
  const salted = await promisify(pbkdf2)(password, salt, iterations, keyBytes, 'sha256');
  const clientKey = createHmac('sha256', salted).update('Client Key').digest();
  const storedKey = createHash('sha256').update(clientKey).digest('base64');
  const serverKey = createHmac('sha256', salted).update('Server Key').digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
