/** Whether the sender of an event knows the secret. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { hasDefect } from '../defects.ts';

export function sign(body: string | Buffer, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

export function isSigned(body: Buffer, signature: unknown, secret: string): boolean {
  if (hasDefect('hmac-not-checked')) return true;
  const told = Buffer.from(typeof signature === 'string' ? signature : '');
  const right = Buffer.from(sign(body, secret));
  return told.length === right.length && timingSafeEqual(told, right);
}
