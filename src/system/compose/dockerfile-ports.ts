/** The ports that the Dockerfiles of services expose, as far as the text says them. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { rangeOf } from './canonical-ports.ts';
import type { ComposeService } from './compose-model.ts';
import { fieldOf, textOf } from './compose-node.ts';

/** A longer one is not a Dockerfile that a person wrote. */
const mostBytes = 256 * 1024;

/** A worker that shares the image of a web server exposes the port of that one, and listens on none. */
export function exposedPorts(services: readonly ComposeService[]): ReadonlyMap<string, readonly number[]> {
  const sharing = Map.groupBy(services, (service) => JSON.stringify(sourceOf(service)));
  return new Map(
    services.map((service) => {
      const source = sourceOf(service);
      const isShared = (sharing.get(JSON.stringify(source))?.length ?? 0) > 1;
      const isOther = isShared && (service.command !== undefined || service.entrypoint !== undefined);
      return [service.name, isOther ? [] : portsIn(textFrom(source))];
    }),
  );
}

/** The text of a Dockerfile, or where it is. */
function sourceOf({ node }: ComposeService): { readonly inline: string } | { readonly file: string } {
  const build = fieldOf(node, 'build');
  const context = textOf(fieldOf(build, 'context'));
  const inline = textOf(fieldOf(build, 'dockerfile_inline'));
  if (context === undefined || inline !== undefined) return { inline: inline ?? '' };
  return { file: path.resolve(context, textOf(fieldOf(build, 'dockerfile')) ?? 'Dockerfile') };
}

function textFrom(source: ReturnType<typeof sourceOf>): string {
  if ('inline' in source) return source.inline;
  const { file } = source;
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
