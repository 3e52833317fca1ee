/** A Redis that keeps nothing; undefined where `redis-server` is not on PATH. */
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { findOnPath } from '../../test/harness/needs.ts';
import { freePorts } from '../boot/free-ports.ts';
import { type Actor, stopChild } from './actor.ts';

export const redisInstall = 'redis-server: apt-get install redis-server';

export async function startRedis(): Promise<Actor | undefined> {
  const [binary] = findOnPath('redis-server');
  if (binary === undefined) return undefined;
  const port = await freePorts(1);
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', tmpdir()];
  const child = spawn(binary, settings, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (said.includes('Ready to accept')) return { port, pid: child.pid, stop: () => stopChild(child) };
  }
  throw new Error(`${binary} did not start: ${said}`);
}
