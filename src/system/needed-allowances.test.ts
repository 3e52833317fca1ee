import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { boundFolder } from './compose/volume-options.ts';
import type { MountSpec } from './container-spec.ts';
import { missingAllowances } from './needed-allowances.ts';
import { strayWrites } from './stray-writes.ts';

function madeFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'shakedown-reach-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const bound = (source: string, direct = false): MountSpec => ({
  ...{ kind: 'bind', source, target: '/o', readOnly: !direct },
  ...(direct ? { direct } : {}),
});

const needs = (mount: MountSpec, hostEnv = {}) =>
  missingAllowances({ peers: [], mounts: [mount] }, hostEnv).map(({ allowance }) => allowance);

test('the socket of an engine, each folder above it, and a link to either', () => {
  const folder = madeFolder();
  const link = (name: string, to: string): string => {
    symlinkSync(to, path.join(folder, name));
    return path.join(folder, name);
  };
  const engines = ['/var/run/docker.sock', '/', '/run', '/var/run', '/run/podman', '/run/docker'];
  const links = [link('d', '/var/run/docker.sock'), link('r', '/var/run'), link('s', path.join(folder, 'r'))];
  for (const source of [...engines, ...links]) {
    expect(needs(bound(source)), source).toEqual(['socket']);
    expect(needs(bound(source, true)), source).toContain('socket');
  }
  expect(needs(bound('/run', true))).toEqual(['socket', 'writes']);
  const own = path.join(folder, 'own/engine');
  for (const source of [own, path.dirname(own), folder]) {
    expect(needs(bound(source)), source).toEqual([]);
    expect(needs(bound(source), { DOCKER_HOST: `unix://${own}` }), source).toEqual(['socket']);
  }
  expect(needs(bound(folder), { XDG_RUNTIME_DIR: folder })).toEqual(['socket']);
  for (const source of ['/etc', '/run/mine', '/running']) expect(needs(bound(source))).toEqual([]);
});

test('a volume of another driver, or with options that reach out', () => {
  const volume = (driverOptions: Readonly<Record<string, string>>, driver = 'local') =>
    needs({ kind: 'volume', name: 'v', target: '/o', readOnly: false, driver, driverOptions });
  expect(volume({})).toEqual([]);
  expect(volume({ type: 'tmpfs', device: 'tmpfs', o: 'size=10m,uid=1000,noexec' })).toEqual([]);
  expect(volume({}, 'rclone')).toEqual(['writes']);
  for (const options of [
    { type: 'nfs', o: 'addr=10.0.0.1,rw', device: ':/srv' },
    { type: 'cifs', device: '//host/share' },
    { type: 'tmpfs', o: 'bind', device: '/srv' },
    { type: 'ext4', device: '/dev/sda1' },
    { type: 'none', o: 'bind,remount', device: '/srv' },
    { mountpoint: '/srv' },
  ])
    expect(volume(options), JSON.stringify(options)).toEqual(['writes']);
  const bound = (o: string) => boundFolder({ driverOptions: { type: 'none', o, device: '/srv' } });
  expect(bound('bind')).toEqual({ device: '/srv', readOnly: false });
  expect(bound('rbind,ro')).toEqual({ device: '/srv', readOnly: true });
  expect(bound('bind,remount')).toBeUndefined();
});

test('what may be written to is in the project, also when links are followed', () => {
  const folder = madeFolder();
  const elsewhere = madeFolder();
  symlinkSync(elsewhere, path.join(folder, 'out'));
  symlinkSync('.', path.join(folder, 'in'));
  const stray = (name: string) =>
    strayWrites({ peers: [], mounts: [bound(path.resolve(folder, name), true)] }, folder, 'box');
  expect(stray('out').map(({ what }) => what)).toEqual([
    `${folder}/out would be written to, and is a link out of the project, to ${elsewhere}`,
  ]);
  expect(stray('out/below/it')).toHaveLength(1);
  expect([...stray('in'), ...stray('not-there'), ...stray(elsewhere)]).toEqual([]);
});
