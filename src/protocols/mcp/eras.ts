/** The versions of MCP and what sets their eras apart: with a handshake and a session, or with everything in each request. */

export const handshakeVersions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;

export const newestHandshakeVersion = '2025-11-25';

/** The version of the transport with a stream next to the posts; its servers may not support a later one. */
export const legacySseVersion = '2024-11-05';

export const firstStatelessVersion = '2026-07-28';

/** Versions are dates, and sort as texts; drafts have names that sort after all of them. */
export function isStateless(version: string): boolean {
  return version >= firstStatelessVersion;
}

/** The only version in which several messages may come in one list. */
export function allowsBatches(version: string): boolean {
  return version === '2025-03-26';
}

/** From this version on each request over HTTP names the version that was agreed upon. */
export function namesVersionInHeader(version: string): boolean {
  return version >= '2025-06-18';
}

/** Codes that only servers of the stateless era send: not a sign of an old server. */
const statelessCodes: readonly number[] = [-32020, -32021, -32022];

export const headerMismatch = -32020;

export function isStatelessError(code: number): boolean {
  return statelessCodes.includes(code);
}

export const clientInfo = { name: 'shakedown', version: '1' } as const;

export const methodsOfLists = {
  tools: 'tools/list',
  resources: 'resources/list',
  prompts: 'prompts/list',
} as const;

export type ListKind = keyof typeof methodsOfLists;
