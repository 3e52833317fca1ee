import { expect, test } from 'vitest';
import type { PeerNameSpec } from '../../system/container-spec.ts';
import type { System } from '../../system/system.ts';
import { planPlaces, tapPlace } from './plan-places.ts';

function placesOf(peers: readonly PeerNameSpec[]) {
  const services = [
    { name: 'app', container: { mounts: [], peers } },
    { name: 'api', container: { mounts: [], peers: [] } },
    { name: 'web' },
  ];
  return planPlaces({ jobs: [], services, resources: [] } as unknown as System);
}

const peer = (name: string, to: string, ...ports: number[]): PeerNameSpec => ({
  name,
  to,
  ports: ports.map((port) => ({ port, listener: `of-${port}` })),
});
const edge = (to: string, port: number) => ({ from: 'app', to, listener: `of-${port}` });

test('one network is enough while the ports differ; of processes there is none', () => {
  const places = placesOf([peer('db', 'db', 5432), peer('api', 'api', 80, 81)]);
  expect([...places.keys()]).toEqual(['app', 'api']);
  const app = places.get('app');
  if (!app) throw new Error('no place');
  expect(app).toMatchObject({ networks: 1, isInPlain: false });
  expect(app.hosts).toEqual([
    { name: 'db', network: 0 },
    { name: 'api', network: 0 },
  ]);
  expect(tapPlace(app, edge('api', 81))).toEqual({ network: 0, port: 81 });
  expect(tapPlace(app, edge('other', 9))).toEqual({ network: 0 });
});

test('two peers with the same port are behind two gateways', () => {
  const app = placesOf([peer('a', 'a', 80), peer('b', 'b', 80, 90), peer('c', 'c', 90)]).get('app');
  expect(app).toMatchObject({
    networks: 2,
    hosts: [
      { name: 'a', network: 0 },
      { name: 'b', network: 1 },
      { name: 'c', network: 0 },
    ],
  });
});

test('two names of one peer share its tap', () => {
  const app = placesOf([peer('x', 'x', 80), peer('api', 'api', 80), peer('api.local', 'api', 80)]).get('app');
  expect(app?.hosts.map(({ network }) => network)).toEqual([0, 1, 1]);
  expect(app?.taps.size).toBe(2);
});

test('without ports they share a network, under the name that the other knows', () => {
  const places = placesOf([peer('backend', 'api')]);
  expect(places.get('app')).toMatchObject({ isInPlain: true, aliases: [], hosts: [] });
  expect(places.get('api')).toMatchObject({ isInPlain: true, aliases: ['backend'] });
});

test('one listener behind two ports is refused', () => {
  const one = { name: 'a', to: 'a', ports: [{ port: 80, listener: 'main' }] };
  const other = { name: 'a2', to: 'a', ports: [{ port: 81, listener: 'main' }] };
  expect(() => placesOf([one, other])).toThrow('a2:81 and port 80 both mean the same listener of a');
});
