/** The mcp driver in each situation of the suite: over HTTP, and with a program of its own. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { mcpDriver } from '../../src/drivers/mcp/mcp-driver.ts';
import type { McpStep } from '../../src/drivers/mcp/mcp-step.ts';
import { answerJson, openRawServer } from '../mcp/raw-server.ts';
import { addressOf } from './driver-context.ts';
import { closedPort, listen, type PeerManners } from './driver-peer.ts';
import type { DriverSubject, Ground, Stage } from './driver-subject.ts';

type Facts = Pick<Stage, 'error' | 'evidence'>;

const call: McpStep = { target: 'peer', tool: 'greet', args: { name: 'ada' } };
const good = { content: [{ type: 'text', text: 'hello' }] };
const goodEvidence = { isError: false, result: 'hello', server: { name: 'raw', version: '0' } };
const lateAnswer = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';

const insideItself: Record<string, unknown> = {};
insideItself.again = insideItself;

export const mcpHttpSubject: DriverSubject = {
  name: 'mcp over HTTP',
  situations: {
    answers: async (ground) => {
      const peer = await openRawServer(({ id }, response) => answerJson(response, id, good), {
        session: 's',
      });
      ground.afterwards(peer.close);
      let open = 1;
      return {
        evidence: goodEvidence,
        start: (context) => startOn(call, peer.address.port, context),
        heardBytes: () => peer.heard.length,
        left: () => {
          void peer.connections().then((count) => {
            open = count;
          });
          return open === 0 ? [] : [`${open} connections`];
        },
      };
    },
    hangs: (ground) => setup(ground, {}, { error: 'timeout' }),
    closes: (ground) => setup(ground, { onHear: (socket) => socket.end() }, { error: 'closed' }),
    resets: (ground) => setup(ground, { onHear: (socket) => socket.resetAndDestroy() }, { error: 'reset' }),
    garbage: (ground) =>
      setup(ground, { onHear: (socket) => socket.write('00001B(:TYPE :EVENT)\n') }, { error: 'garbage' }),
    late: (ground) => setup(ground, {}, { error: 'timeout' }),
    refuses: async (ground) => setup(ground, {}, { error: 'refused' }, call, await closedPort()),
  },
  impossible: {
    'an unknown target': (ground) => setup(ground, {}, {}, { ...call, target: 'nobody' }),
    'no server': (ground) => setup(ground, {}, {}, { tool: 'greet' }),
    'a transport without a program': (ground) => setup(ground, {}, {}, { ...call, transport: 'stdio' }),
    'an era that does not know the transport': (ground) =>
      setup(ground, {}, {}, { ...call, transport: 'sse', era: '2026-07-28' }),
    'arguments that have no JSON': (ground) => setup(ground, {}, {}, { ...call, args: insideItself }),
  },
};

function startOn(
  step: McpStep,
  port: number,
  context: Parameters<Stage['start']>[0],
): ReturnType<Stage['start']> {
  const address = addressOf(port);
  const act = mcpDriver.start(step, {
    ...context,
    address: (target) => (target === 'peer' ? address : context.address(target)),
  });
  return { act, close: async () => act.connection?.close() };
}

async function setup(
  ground: Ground,
  manners: PeerManners,
  facts: Facts,
  step: McpStep = call,
  port?: number,
): Promise<Stage> {
  const peer = await listen(ground, manners);
  return {
    ...facts,
    start: (context) => startOn(step, port ?? peer.port, context),
    heardBytes: peer.heardBytes,
    left: peer.left,
    release: async () => peer.each((socket) => socket.write(lateAnswer)),
  };
}

const greets = `read ask; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}'; read note; read ask`;
const answers = `echo '${JSON.stringify({ jsonrpc: '2.0', id: 2, result: good })}'`;

export const mcpStdioSubject: DriverSubject = {
  name: 'mcp with a program',
  situations: {
    answers: (ground) =>
      program(ground, `${greets}; ${answers}; read end`, {
        evidence: { isError: false, result: 'hello' },
      }),
    hangs: (ground) => program(ground, `${greets}; sleep 1000 & sleep 1000`, { error: 'timeout' }),
    closes: (ground) => program(ground, `${greets}; exit 3`, { error: 'closed' }),
    resets: (ground) => program(ground, `${greets}; kill -9 $$`, { error: 'closed' }),
    garbage: (ground) =>
      program(ground, `${greets}; printf 'Content-Length: 2\\r\\n\\r\\n{}'; read end`, { error: 'garbage' }),
    late: (ground) =>
      program(ground, `${greets}; while [ ! -e go ]; do sleep 0.02; done; ${answers}; read end`, {
        error: 'timeout',
      }),
    refuses: (ground) =>
      program(ground, '', { error: 'not-started' }, { stdio: ['no-such-program-anywhere'], tool: 'greet' }),
  },
  impossible: {
    'no program': (ground) => program(ground, '', {}, { stdio: [] }),
    'a program that is not there': (ground) => program(ground, '', {}, { stdio: ['./no-such-program'] }),
    'a program that should speak HTTP': (ground) =>
      program(ground, '', {}, { stdio: ['sh'], transport: 'sse' }),
    'a word with a NUL': (ground) => program(ground, '', {}, { stdio: ['echo', 'a\0b'] }),
  },
};

/** The script writes a file to show that it runs, because it may not live long enough to be asked. */
async function program(ground: Ground, script: string, facts: Facts, step?: McpStep): Promise<Stage> {
  const mark = path.join(ground.folder, 'heard');
  return {
    ...facts,
    start: (context) => {
      const argv = ['sh', '-c', `echo started > heard; ${script}`];
      const act = mcpDriver.start(step ?? { stdio: argv, tool: 'greet' }, context);
      return { act, close: async () => act.connection?.close() };
    },
    heardBytes: () => (existsSync(mark) ? readFileSync(mark).length : 0),
    left: () => [],
    release: async () => writeFileSync(path.join(ground.folder, 'go'), ''),
  };
}
