/** Keeps an answer as evidence when it is small enough; otherwise its beginning, its size and its fingerprint. */
import { createHash } from 'node:crypto';
import type { Answered } from './perform-step.ts';

const bulky = ['result', 'content', 'tools', 'resources', 'prompts', 'rpcError'] as const;

/** The names of what was listed stay in any case, up to the same limit, because they are what is compared. */
export function boundAnswer(answered: Answered, mostBytes: number): Answered {
  const body = Object.fromEntries(bulky.filter((key) => key in answered).map((key) => [key, answered[key]]));
  const text = JSON.stringify(body);
  const bytes = Buffer.byteLength(text);
  if (bytes <= mostBytes) return answered;
  const rest = Object.fromEntries(Object.entries(answered).filter(([key]) => !(key in body)));
  return {
    ...withNames(rest, mostBytes),
    text: Buffer.from(text).subarray(0, mostBytes).toString('utf8'),
    bytes,
    sha256: createHash('sha256').update(text).digest('hex'),
    truncated: true,
  };
}

function withNames(rest: Answered, mostBytes: number): Answered {
  const { names, ...others } = rest;
  const isSmall = names !== undefined && Buffer.byteLength(JSON.stringify(names)) <= mostBytes;
  return isSmall ? rest : others;
}
