/** What a step got back, in a few words: the evidence of each driver has its own telling part. */
import { formatSize } from '../../kernel/size.ts';
import { isMap, oneLineValue } from './one-line-value.ts';

type Evidence = Readonly<Record<string, unknown>>;

export function tellEvidence(evidence: unknown, room: number): string {
  if (!isMap(evidence))
    return evidence === null || evidence === undefined ? 'done' : oneLineValue(evidence, room);
  const teller = tellers.find(([key]) => evidence[key] !== undefined)?.[1] ?? tellRest;
  return teller(evidence, room);
}

type Teller = (evidence: Evidence, room: number) => string;

/** The first key that is there decides. */
const tellers: ReadonlyArray<readonly [key: string, tell: Teller]> = [
  ['answers', tellBurst],
  ['error', ({ error }, room) => tellError(error, room)],
  ['rpcError', ({ rpcError }, room) => tellRpcError(rpcError, room)],
  ['isError', tellTool],
  ['result', tellTool],
  ['status', tellHttp],
  ['exitCode', tellCommand],
  ['received', tellReceived],
];

export function tellError(error: unknown, room: number): string {
  if (!isMap(error)) return oneLineValue(error, room);
  return [error.kind, error.message].filter((part) => typeof part === 'string').join(': ');
}

export function tellRpcError(error: unknown, room: number): string {
  if (!isMap(error)) return oneLineValue(error, room);
  return `error ${String(error.code)}: ${String(error.message)}`;
}

function tellTool({ isError, result, content }: Evidence, room: number): string {
  const said = oneLineValue(result ?? content, room);
  return isError === true ? `the tool failed: ${said}` : `result ${said}`;
}

function tellHttp({ status, json, text, events, bytes }: Evidence, room: number): string {
  const body = json ?? text ?? events;
  const said = body !== undefined && body !== '' ? oneLineValue(body, room) : bodySize(bytes);
  return `status ${String(status)}, ${said}`;
}

function bodySize(bytes: unknown): string {
  return typeof bytes === 'number' && bytes > 0 ? `a body of ${formatSize(bytes)}` : 'no body';
}

function tellCommand({ exitCode, signal, stdout, stderr }: Evidence, room: number): string {
  const end = typeof signal === 'string' ? `ended by ${signal}` : `exit code ${String(exitCode)}`;
  const failed = exitCode !== 0 && typeof stderr === 'string' && stderr.trim() !== '';
  const text = failed ? stderr : stdout;
  if (typeof text !== 'string' || text.trim() === '') return `${end}, no output`;
  return `${end}, ${failed ? 'stderr' : 'stdout'} ${oneLineValue(text.trimEnd(), room)}`;
}

function tellReceived({ received, raw, closedBy, broken }: Evidence, room: number): string {
  const messages = Array.isArray(received) ? received : [];
  const last = messages.at(-1);
  const parts = [
    messages.length === 1 ? `received ${oneLineValue(last, room)}` : '',
    messages.length > 1 ? `received ${messages.length} messages, the last ${oneLineValue(last, room)}` : '',
    messages.length === 0 && typeof raw === 'string' && raw !== ''
      ? `received ${oneLineValue(raw, room)}`
      : '',
    typeof broken === 'string' ? `then something broken: ${broken}` : '',
    typeof closedBy === 'string' ? (closers[closedBy] ?? `closed by ${closedBy}`) : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'received nothing' : parts.join(', ');
}

const closers: Readonly<Record<string, string>> = {
  peer: 'closed by the other side',
  us: 'closed by us',
  reset: 'reset by the other side',
};

/** Many at once are counted by how they ended: `20 answers: 19 × status 200, 1 × status 500`. */
function tellBurst({ answers }: Evidence, room: number): string {
  if (!Array.isArray(answers)) return oneLineValue(answers, room);
  const counts = new Map<string, number>();
  for (const answer of answers) {
    const outcome = outcomeOf(answer);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  const told = [...counts].map(([outcome, count]) => `${count} × ${outcome}`).join(', ');
  return `${answers.length} answers: ${told}`;
}

function outcomeOf(answer: unknown): string {
  if (!isMap(answer)) return 'answered';
  if (isMap(answer.error)) return String(answer.error.kind);
  if (answer.isError !== undefined) return answer.isError === true ? 'failed' : 'result';
  if (answer.status !== undefined) return `status ${String(answer.status)}`;
  return answer.exitCode === undefined ? 'answered' : `exit code ${String(answer.exitCode)}`;
}

function tellRest({ request: _request, headers: _headers, ...rest }: Evidence, room: number): string {
  return oneLineValue(rest, room);
}
