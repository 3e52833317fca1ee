/** The signature of a delivery: HMAC-SHA256 of the body with the secret of its webhook, as `sha256=` and hexadecimal digits. */
import { createHmac, timingSafeEqual } from 'node:crypto';

export const signatureHeader = 'x-messenger-signature';

export function isSignedBy(secret: string, body: Buffer, signature: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
