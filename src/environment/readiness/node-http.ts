/** Node's HTTP client, loaded when somebody needs it. */

/** An `import` of it reads every export, one of which loads a whole second client: 30 ms of each keeper's start. */
export function nodeHttp(): typeof import('node:http') {
  return process.getBuiltinModule('node:http');
}
