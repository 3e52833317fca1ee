/** The conformance suite of a plugin: what Shakedown relies on, tried with the program itself and with odd peers. */

import { createServer, type Socket } from 'node:net';
import { systemClock } from '../../kernel/clock.ts';
import { defined } from '../../kernel/defined.ts';
import { isMap } from '../../kernel/is-map.ts';
import { describePlugin } from '../../plugins/describe-plugin.ts';
import type { KindDescription, PluginDescription } from '../../plugins/description.ts';
import { checkDocumentOf, stepDocumentOf } from '../../plugins/plugin-documents.ts';
import { type Message, type PluginProcess, startPlugin } from '../../plugins/plugin-process.ts';
import type { PluginSpec } from '../../system/system.ts';

export interface ConformanceCase {
  readonly name: string;
  readonly verdict: 'passed' | 'failed' | 'skipped';
  readonly because?: string;
}

/** What is wrong, or undefined. */
type Try = (plugin: PluginProcess) => Promise<string | undefined>;

interface Kind {
  readonly key: string;
  readonly does: 'start' | 'look';
  readonly described: KindDescription;
}

const answerMs = 5_000;
/** What a step gets; a plugin has to answer by then. */
const stepMs = 500;

/** Rejects with `PluginBroken` when the plugin cannot even describe itself. */
export async function pluginConformance(
  spec: PluginSpec,
  folder: string,
  onCase: (one: ConformanceCase) => void,
): Promise<readonly ConformanceCase[]> {
  const description = await describePlugin(spec, folder);
  const cases: ConformanceCase[] = [];
  const add = (one: ConformanceCase): void => {
    cases.push(one);
    onCase(one);
  };
  const attempt = async (name: string, work: Try): Promise<void> => {
    const because = await tried(spec, folder, work);
    add(because === undefined ? { name, verdict: 'passed' } : { name, verdict: 'failed', because });
  };
  await attempt('describes itself the same way again', async (plugin) => {
    const again = await plugin.ask({ do: 'describe' }, { withinMs: answerMs });
    return JSON.stringify(sorted(again.description)) === JSON.stringify(sorted(description))
      ? undefined
      : 'two descriptions differ';
  });
  await attempt('survives a line that is not a request', async (plugin) => {
    plugin.sendLine('this is not JSON');
    return isMap((await plugin.ask({ do: 'describe' }, { withinMs: answerMs })).description)
      ? undefined
      : 'it does not describe itself any more';
  });
  await attempt('refuses a kind that it does not have, and goes on', async (plugin) => {
    const answer = await plugin.ask({ do: 'start', kind: 'noSuchKind', step: {} }, { withinMs: answerMs });
    return isMap(answer.error) ? undefined : `it answered ${JSON.stringify(answer)} instead of an error`;
  });
  for (const kind of kindsOf(description)) await tryKind(kind, attempt, add);
  add(await endsByItself(spec, folder));
  return cases;
}

async function tryKind(
  kind: Kind,
  attempt: (name: string, work: Try) => Promise<void>,
  add: (one: ConformanceCase) => void,
): Promise<void> {
  const { key, described } = kind;
  const [example] = described.examples ?? [];
  if (!example)
    return add({ name: `${key}: an example`, verdict: 'skipped', because: 'it has no `examples`' });
  await attempt(`${key}: its example fits its own keys`, async () => exampleFault(kind, example));
  if (described.target === undefined)
    return attempt(`${key}: five at once`, (plugin) => askAtOnce(plugin, kind, example, 5));
  for (const peer of oddPeers) {
    await attempt(`${key}: a service that ${peer}`, (plugin) => askAt(plugin, kind, example, peer, 1));
  }
  await attempt(`${key}: five at once`, (plugin) => askAt(plugin, kind, example, 'closes at once', 5));
}

async function tried(spec: PluginSpec, folder: string, work: Try): Promise<string | undefined> {
  const plugin = await startPlugin(spec, { clock: systemClock, folder });
  try {
    const because = await work(plugin);
    const [stray] = plugin.strayLines();
    return because ?? (stray === undefined ? undefined : `it printed a line that answers nothing: ${stray}`);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await plugin.close();
  }
}

/** A service that fails must be reported as an error, not as evidence. */
async function askAt(
  plugin: PluginProcess,
  kind: Kind,
  example: Message,
  name: string,
  times: number,
): Promise<string | undefined> {
  const peer = await openOddPeer(name);
  const { port } = peer;
  const address = { scheme: 'tcp', host: '127.0.0.1', port, url: `tcp://127.0.0.1:${port}` };
  const target = { name: String(example[kind.key]), ...address };
  const refuses = name === 'refuses connections';
  try {
    return await askAtOnce(plugin, kind, example, times, { target, refuses });
  } finally {
    await peer.close();
  }
}

interface Peer {
  readonly target: Message;
  readonly refuses: boolean;
}

async function askAtOnce(
  plugin: PluginProcess,
  { key, does, described }: Kind,
  example: Message,
  times: number,
  { target, refuses }: Partial<Peer> = {},
): Promise<string | undefined> {
  const written = { [does === 'start' ? 'step' : 'query']: example };
  const request = { do: does, kind: key, ...written, ...defined({ target }), timeoutMs: stepMs };
  const asked = Array.from({ length: times }, () => plugin.ask(request, { withinMs: stepMs + answerMs }));
  const faults = (await Promise.all(asked)).map((answer) => {
    if (refuses && !isMap(answer.error))
      return `it answered ${JSON.stringify(answer)} although nobody listens; an error is expected`;
    return answerFault(answer, described);
  });
  return faults.find((fault) => fault !== undefined);
}

function answerFault(answer: Message, described: KindDescription): string | undefined {
  if (isMap(answer.error))
    return typeof answer.error.message === 'string' ? undefined : 'its error has no `message`';
  if ('gives' in described) {
    const { gives } = described;
    const fits = gives === 'list' ? Array.isArray(answer.observed) : isMap(answer.observed);
    return fits ? undefined : `it answered ${JSON.stringify(answer)} instead of \`observed\` with a ${gives}`;
  }
  const { evidence: declared } = described;
  const unknown = Object.keys(isMap(answer.evidence) ? answer.evidence : {}).find(
    (field) => declared && !Object.hasOwn(declared, field),
  );
  return unknown === undefined ? undefined : `its evidence has \`${unknown}\`, which it does not declare`;
}

function exampleFault({ key, does, described }: Kind, example: Message): string | undefined {
  const made = 'gives' in described ? checkDocumentOf(key, described) : stepDocumentOf(key, described);
  if ('fault' in made) return made.fault;
  const [issue] = made.document.safeParse(example).error?.issues ?? [];
  const at = issue?.path.map(String).join('.') || `the ${does === 'start' ? 'step' : 'check'}`;
  return issue && `${at}: allowed is ${issue.message}`;
}

async function endsByItself(spec: PluginSpec, folder: string): Promise<ConformanceCase> {
  const name = 'ends by itself when it is closed';
  const plugin = await startPlugin(spec, { clock: systemClock, folder });
  await plugin.ask({ do: 'describe' }, { withinMs: answerMs });
  if ((await plugin.close()) === 'ended') return { name, verdict: 'passed' };
  return {
    name,
    verdict: 'failed',
    because: 'it ran on after `close` and the end of its input, and was killed',
  };
}

function kindsOf({ steps = {}, checks = {} }: PluginDescription): readonly Kind[] {
  return [
    ...Object.entries(steps).map(([key, described]) => ({ key, does: 'start' as const, described })),
    ...Object.entries(checks).map(([key, described]) => ({ key, does: 'look' as const, described })),
  ];
}

/** With its keys in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

const behaviours: Readonly<Record<string, (socket: Socket) => void>> = {
  'refuses connections': () => undefined,
  'accepts and says nothing': () => undefined,
  'closes at once': (socket) => void socket.end(),
  'sends bytes that mean nothing': (socket) => void socket.end(Buffer.alloc(4_096, 0xfe)),
};

/** Peers that misbehave as real ones do: nobody there, silence, an early end, and bytes that mean nothing. */
const oddPeers: readonly string[] = Object.keys(behaviours);

async function openOddPeer(name: string) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    behaviours[name]?.(socket);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  const close = (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => void server.close(() => resolve()));
  };
  if (name !== 'refuses connections') return { port, close };
  await close();
  return { port, close: async () => undefined };
}
