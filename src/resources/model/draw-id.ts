/** Ids that are the same whenever the same call of the same attempt is answered. */

/** As many hexadecimal digits as ids of providers have, made of the text. */
export function drawId(text: string): string {
  let id = '';
  for (const start of starts) id += hash32(text, start).toString(16).padStart(8, '0');
  return id;
}

const starts = [0x811c9dc5, 0x2f0b4c47, 0x5bd1e995];

function hash32(text: string, start: number): number {
  let hash = start;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
