/** The ports that the Dockerfiles of services expose, as far as the text says them. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { rangeOf } from './canonical-ports.ts';
import type { ComposeService } from './compose-model.ts';
import { fieldOf, textOf } from './compose-node.ts';

/** A longer one is not a Dockerfile that a person wrote. */
const mostBytes = 256 * 1024;

export function exposedPorts(services: readonly ComposeService[]): ReadonlyMap<string, readonly number[]> {
  return new Map(services.map((service) => [service.name, portsIn(dockerfileOf(service))]));
}

function dockerfileOf({ node }: ComposeService): string {
  const build = fieldOf(node, 'build');
  const context = textOf(fieldOf(build, 'context'));
  const inline = textOf(fieldOf(build, 'dockerfile_inline'));
  if (context === undefined || inline !== undefined) return inline ?? '';
  const file = path.resolve(context, textOf(fieldOf(build, 'dockerfile')) ?? 'Dockerfile');
  if (!existsSync(file)) return '';
  const facts = statSync(file);
  return facts.isFile() && facts.size <= mostBytes ? readFileSync(file, 'utf8') : '';
}

function portsIn(text: string): readonly number[] {
  return [...text.matchAll(/^[ \t]*EXPOSE[ \t]+(.+)$/gim)].flatMap(([, ports = '']) =>
    ports.split(/\s+/).flatMap((port) => {
      const [range = '', protocol = 'tcp'] = port.split('/');
      return protocol === 'tcp' && /^\d+(?:-\d+)?$/.test(range) ? (rangeOf(range) ?? []) : [];
    }),
  );
}
