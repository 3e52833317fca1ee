import { expect, test } from 'vitest';
import { loadProject } from '../../../test/harness/config-project.ts';

const config = (mount: string): string => `name: shared
volumes: { inbox: {} }
services:
  box: { image: "alpine:3", mounts: [{ volume: ${mount}, to: /in }] }
  plain: { run: ["true"], env: { INBOX: "\${inbox.path}" } }
`;

test('a mount with the name of a volume of the config is that volume, and its container waits for it', async () => {
  const { resources, services } = await loadProject({ 'shakedown.yaml': config('inbox') });
  expect(resources).toEqual([{ kind: 'volume', name: 'inbox', isMounted: true }]);
  const [box, plain] = services;
  expect(box?.container?.mounts).toEqual([{ kind: 'shared', name: 'inbox', target: '/in', readOnly: false }]);
  expect([box?.after, plain?.after]).toEqual([['inbox'], ['inbox']]);
});

test('so is one of a compose file, while its others are volumes of the engine', async () => {
  const { services } = await loadProject({
    'shakedown.yaml': 'name: shared\nvolumes: { inbox: {} }\ncompose: compose.yaml\n',
    'compose.yaml': `services:
  box: { image: "alpine:3", volumes: ["inbox:/in:ro", "other:/other"] }
volumes: { inbox: {}, other: {} }
`,
  });
  expect(services[0]?.container?.mounts).toMatchObject([
    { kind: 'shared', name: 'inbox', target: '/in', readOnly: true },
    { kind: 'volume', name: 'other', target: '/other' },
  ]);
  expect(services[0]?.after).toEqual(['inbox']);
});
