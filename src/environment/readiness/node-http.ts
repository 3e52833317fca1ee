/** Node's HTTP client, loaded on demand. */

/** An `import` reads every export, one of which loads a second client: 30 ms of each keeper's start. */
export function nodeHttp(): typeof import('node:http') {
  return process.getBuiltinModule('node:http');
}
