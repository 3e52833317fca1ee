/** Whether a header holds a signature, or a digest, of the body. */

export function isSignature(name: string): boolean {
  return /signature|hmac|digest/.test(name);
}
