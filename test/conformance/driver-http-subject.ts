/** The http driver in each situation of the suite. */
import { httpDriver } from '../../src/drivers/http/http-driver.ts';
import type { HttpStep } from '../../src/drivers/http/http-step.ts';
import { addressOf } from './driver-context.ts';
import { closedPort, listen, type PeerManners } from './driver-peer.ts';
import type { DriverSubject, Ground, Stage } from './driver-subject.ts';

const answer = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\r\n{"ok":true}';
const plainStep: HttpStep = { method: 'POST', target: 'peer', path: '/ask', json: { text: 'hello' } };

export const httpSubject: DriverSubject = {
  name: 'http',
  situations: {
    answers: (ground) =>
      setup(
        ground,
        { onHear: (socket) => socket.write(answer) },
        { evidence: { status: 200, json: { ok: true } } },
      ),
    hangs: (ground) => setup(ground, {}, { error: 'timeout' }),
    closes: (ground) => setup(ground, { onHear: (socket) => socket.end() }, { error: 'closed' }),
    resets: (ground) => setup(ground, { onHear: (socket) => socket.resetAndDestroy() }, { error: 'reset' }),
    garbage: (ground) =>
      setup(ground, { onHear: (socket) => socket.write('00001B(:TYPE :EVENT)\n') }, { error: 'garbage' }),
    late: (ground) => setup(ground, {}, { error: 'timeout' }),
    refuses: async (ground) => setup(ground, {}, { error: 'refused' }, plainStep, await closedPort()),
  },
  impossible: {
    'an unknown target': (ground) => setup(ground, {}, {}, { ...plainStep, target: 'nobody' }),
    'a file that is not there': (ground) => setup(ground, {}, {}, body({ body: { file: 'none.bin' } })),
    'half a byte': (ground) => setup(ground, {}, {}, body({ body: { hex: 'abc' } })),
    'a part without content': (ground) => setup(ground, {}, {}, body({ multipart: [{ name: 'a' }] })),
    'a header in two lines': (ground) =>
      setup(ground, {}, {}, { ...plainStep, headers: { 'x-a': 'one\r\ntwo' } }),
    'a length that lies': (ground) =>
      setup(ground, {}, {}, { ...plainStep, headers: { 'content-length': '3' } }),
    'a method that is none': (ground) => setup(ground, {}, {}, { ...plainStep, method: 'GET /x' }),
  },
};

function body(content: Partial<HttpStep>): HttpStep {
  return { method: 'POST', target: 'peer', path: '/ask', ...content };
}

async function setup(
  ground: Ground,
  manners: PeerManners,
  facts: Pick<Stage, 'error' | 'evidence'>,
  step: HttpStep = plainStep,
  port?: number,
): Promise<Stage> {
  const peer = await listen(ground, manners);
  const address = addressOf(port ?? peer.port);
  return {
    ...facts,
    start: (context) => ({
      act: httpDriver.start(step, {
        ...context,
        address: (target) => (target === 'peer' ? address : context.address(target)),
      }),
      close: async () => {},
    }),
    heardBytes: peer.heardBytes,
    left: peer.left,
    release: async () => peer.each((socket) => socket.write(answer)),
  };
}
