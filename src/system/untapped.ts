/** Addresses written in the config as plain text: connections to them pass no tap and cannot be observed. */
import { isReference, parseReferences } from '../kernel/references.ts';
import { portOfScheme } from './compose/known-ports.ts';
import { containerTexts } from './container-texts.ts';
import type { ProgramSpec, System } from './system.ts';

export interface Untapped {
  /** The program that would connect. */
  readonly from: string;
  readonly address: string;
  /** The part of the config that holds it: `env API_URL`, `run`, `file app.toml`. */
  readonly where: string;
  readonly because: string;
}

const addressPattern =
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'`,;)]+|\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0):\d{2,5}\b/gi;

export function findUntapped(system: System): readonly Untapped[] {
  const programs = [...system.jobs, ...system.services];
  return programs.flatMap((program) => {
    const texts: ReadonlyArray<readonly [where: string, text: string]> = [
      ...program.run.map((text) => ['run', text] as const),
      ...containerTexts(program.container),
      ...Object.entries(program.env).map(([name, text]) => [`env ${name}`, text] as const),
      ...program.files.flatMap(({ to, template }) =>
        'text' in template ? [[`file ${to}`, template.text] as const] : [],
      ),
    ];
    return [
      ...texts.flatMap(([where, text]) =>
        addressesIn(text)
          .filter((address) => !isInside(address, program))
          .map((address) => ({ from: program.name, address, where, because: reason(address) })),
      ),
      ...(program.container?.peers ?? [])
        .filter(({ ports }) => ports.length === 0)
        .map(({ name }) => ({ from: program.name, address: name, where: 'peers', because: unknownPorts })),
    ];
  });
}

/** References become blanks: the addresses behind them pass a tap. */
function addressesIn(text: string): readonly string[] {
  const plain = parseReferences(text)
    .map((part) => (isReference(part) ? ' ' : part.text))
    .join('');
  return [...plain.matchAll(addressPattern)]
    .map(([address]) => address)
    .filter((address) => !/:\/\/$/.test(address));
}

/** The name of a peer, at a port with a tap; or, in a container, the container itself. */
function isInside(address: string, { name, container }: ProgramSpec): boolean {
  if (container === undefined) return false;
  const [, scheme = '', host = '', port] =
    /^(?:([\w.+-]+):\/\/)?(?:[^/@]*@)?(\[[^\]]*\]|[\w.-]+)(?::(\d+))?/.exec(address) ?? [];
  if (/^(?:localhost|127\.|0\.0\.0\.0$|\[::1?\]$)/i.test(host) || host === name) return true;
  const number = port === undefined ? portOfScheme(scheme) : Number(port);
  return container.peers.some(
    (peer) => peer.name === host && peer.ports.some((one) => number === undefined || one.port === number),
  );
}

const unknownPorts =
  'nobody knows its ports, so both containers are in one network; give the other one a `listen`';

function reason(address: string): string {
  if (/^(?:\w+:\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])/i.test(address)) {
    return 'a fixed address on this machine; declare the service that listens there, or attach to it with `at`, and write ${name.url}';
  }
  return /^(?:https|wss):/i.test(address)
    ? 'outside of the system, and TLS hides its content'
    : 'outside of the system; declare it as a service or a resource to see it';
}
