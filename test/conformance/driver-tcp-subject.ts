/** The tcp driver in each situation of the suite: it connects, sends one message, and waits for one. */
import { tcpDriver } from '../../src/drivers/tcp/tcp-driver.ts';
import type { TcpOnStep, TcpStep } from '../../src/drivers/tcp/tcp-step.ts';
import { addressOf } from './driver-context.ts';
import { closedPort, listen, type PeerManners } from './driver-peer.ts';
import type { DriverSubject, Ground, Stage } from './driver-subject.ts';

const open: TcpStep = { target: 'peer', codec: 'newline-json' };
const ask: TcpOnStep = { send: { ask: 'hello' }, receive: 1 };

export const tcpSubject: DriverSubject = {
  name: 'tcp',
  situations: {
    answers: (ground) =>
      setup(
        ground,
        { onHear: (socket) => socket.write('{"ok":true}\n') },
        { evidence: { connected: true, received: [{ ok: true }] } },
      ),
    hangs: (ground) => setup(ground, {}, { error: 'timeout', evidence: { connected: true, received: [] } }),
    closes: (ground) =>
      setup(
        ground,
        { onHear: (socket) => socket.end() },
        { error: 'closed', evidence: { closedBy: 'peer' } },
      ),
    resets: (ground) =>
      setup(
        ground,
        { onHear: (socket) => socket.resetAndDestroy() },
        { error: 'reset', evidence: { closedBy: 'reset' } },
      ),
    garbage: (ground) =>
      setup(
        ground,
        { onHear: (socket) => socket.write('{"ok":\n') },
        { error: 'garbage', evidence: { received: [] } },
      ),
    late: (ground) => setup(ground, {}, { error: 'timeout', growsAfterDone: true }),
    refuses: async (ground) =>
      setup(ground, {}, { error: 'refused', evidence: { connected: false } }, {}, await closedPort()),
  },
  impossible: {
    'an unknown target': (ground) => setup(ground, {}, {}, { open: { target: 'nobody' } }),
    'an unknown codec': (ground) => setup(ground, {}, {}, { open: { ...open, codec: 'newline-jsom' } }),
    'a codec that is not there': (ground) => setup(ground, {}, {}, { open: { ...open, codec: './none.ts' } }),
    'a message that has no bytes': (ground) => setup(ground, {}, {}, { ask: { send: Symbol('no bytes') } }),
    'a message without a codec': (ground) =>
      setup(ground, {}, {}, { open: { target: 'peer' }, ask: { send: { a: 1 } } }),
    'a file that is not there': (ground) => setup(ground, {}, {}, { ask: { sendRaw: { file: 'none.bin' } } }),
    'half a byte': (ground) => setup(ground, {}, {}, { ask: { sendRaw: [{ text: 'a' }, { hex: 'abc' }] } }),
    'nothing to repeat': (ground) => setup(ground, {}, {}, { ask: { sendRaw: { repeat: '', bytes: 9 } } }),
  },
};

async function setup(
  ground: Ground,
  manners: PeerManners,
  facts: Pick<Stage, 'error' | 'evidence' | 'growsAfterDone'>,
  steps: { readonly open?: TcpStep; readonly ask?: TcpOnStep } = {},
  port?: number,
): Promise<Stage> {
  const peer = await listen(ground, manners);
  const address = addressOf(port ?? peer.port, 'tcp');
  return {
    ...facts,
    start: (context) => {
      const opening = tcpDriver.start(steps.open ?? open, {
        ...context,
        address: (target) => (target === 'peer' ? address : context.address(target)),
      });
      const { connection } = opening;
      if (!connection) throw new Error('the driver gave no connection');
      return { act: connection.start(steps.ask ?? ask, context), close: () => connection.close() };
    },
    heardBytes: peer.heardBytes,
    left: peer.left,
    release: async () => peer.each((socket) => socket.write('{"late":true}\n')),
  };
}
