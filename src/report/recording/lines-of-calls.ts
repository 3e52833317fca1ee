/** Turns what crossed an edge in a stored attempt into the lines of a script, and into checks that would notice a change. Pure. */
import type { CallEvent } from '../../journal/call-event.ts';

export interface Recording {
  /** Lines below `model:` or `peers:`, as YAML. */
  readonly script: string;
  /** Lines below `checks:`. */
  readonly checks: string;
  readonly calls: number;
}

/** `edge` is `shop -> bank`. Undefined when nothing crossed it. */
export function linesOfCalls(calls: readonly CallEvent[], edge: string): Recording | undefined {
  const crossed = calls.filter(({ from, to }) => `${from} -> ${to}` === edge);
  const [first] = crossed;
  if (!first) return undefined;
  const isModel = crossed.some(({ turn }) => turn !== undefined);
  const lines = isModel ? crossed.flatMap(modelLine) : crossed.flatMap(peerLine);
  const head = isModel ? `model:\n  ${first.from}:` : `peers:\n  ${first.to}:`;
  return {
    script: [head, ...lines.map((line) => `    - ${line}`)].join('\n'),
    checks: ['checks:', ...suggestedChecks(crossed, edge)].join('\n'),
    calls: crossed.length,
  };
}

/** What the model said; an answer that broke off says nothing that could be told again. */
function modelLine({ turn }: CallEvent): readonly string[] {
  if (!turn?.complete) return [];
  const calls = turn.calls.map(({ name, arguments: args = {} }) => ({ name, args }));
  return [
    inline({
      ...(turn.text === '' ? {} : { says: turn.text }),
      ...(turn.reasoning ? { reasons: turn.reasoning } : {}),
      ...(calls.length === 0 ? {} : { calls }),
      ...(turn.text === '' && calls.length === 0 ? { says: '' } : {}),
      ...(turn.usage === null ? {} : { usage: turn.usage }),
    }),
  ];
}

function peerLine({ method, path, protocol, request, response }: CallEvent): readonly string[] {
  if (!response || (protocol === 'json-rpc' && request.json === undefined)) return [];
  const verb = protocol === 'json-rpc' ? 'POST' : method;
  const [plain = '/'] = path.split('?');
  const type = response.headers['content-type'];
  const body = response.json === undefined ? { text: response.text } : { json: response.json };
  return [
    inline({
      on: `${verb} ${plain}`,
      ...(request.json === undefined ? {} : { where: { json: request.json } }),
      answer: {
        status: response.status,
        ...(type === undefined || response.json !== undefined ? {} : { headers: { 'content-type': type } }),
        ...(body.json === undefined && body.text === undefined ? {} : body),
      },
    }),
  ];
}

/** What was asked, and how often; whoever reads them takes out what may change. */
function suggestedChecks(crossed: readonly CallEvent[], edge: string): readonly string[] {
  const name = edge.replaceAll(/[^\w]+/g, '-').toLowerCase();
  const asked = crossed.map(({ protocol, method, params, request, path }) =>
    protocol === 'json-rpc'
      ? { method, ...(params === undefined ? {} : { params }) }
      : { method, path, ...(request.json === undefined ? {} : { request: { json: request.json } }) },
  );
  return [
    `  ${name}-asked: { calls: ${edge}, expect: ${inline(asked)} }`,
    `  ${name}-answered: { calls: ${edge}, expect: ${inline(crossed.map(({ response }) => ({ status: response?.status ?? null })))} }`,
  ];
}

/** JSON is YAML in one line. A `$` at the beginning of a key would be an operator, and `${` a reference. */
function inline(value: unknown): string {
  return JSON.stringify(value).replaceAll('${', () => '$${');
}
