/** What of a compose project is compared: in one form, whoever resolved it. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { composeContainer } from '../../src/system/compose/compose-container.ts';
import type { ComposeProject, ComposeService } from '../../src/system/compose/compose-model.ts';
import { fieldOf, textOf } from '../../src/system/compose/compose-node.ts';
import { createReport } from '../../src/system/compose/compose-report.ts';
import { parseGoDuration } from '../../src/system/compose/compose-values.ts';
import { shellWords } from '../../src/system/compose/shell-words.ts';
import type { CorpusCase } from './corpus-case.ts';

export interface Resolved {
  readonly image?: string | undefined;
  readonly command?: readonly string[] | undefined;
  readonly entrypoint?: readonly string[] | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** To the condition. */
  readonly needs: Readonly<Record<string, string>>;
  readonly ports: readonly string[];
  readonly mounts: readonly string[];
  readonly context?: string | undefined;
  readonly health?: Health | undefined;
}

interface Health {
  readonly test: readonly string[];
  /** As far as they are written. */
  readonly retries?: number | undefined;
  readonly ms: Readonly<Record<string, number>>;
}

export type ResolvedProject = Readonly<Record<string, Resolved>>;

export function ofOurs(project: ComposeProject, folder: string): ResolvedProject {
  return Object.fromEntries(
    project.services.map((service) => {
      const { name, image, command, entrypoint, environment, dependsOn, links, ports, mounts, node } =
        service;
      const context = textOf(fieldOf(node, 'build', 'context'));
      const conditions = Object.entries(dependsOn).map(([one, { condition }]) => [one, condition]);
      const linked = Object.values(links).map((one) => [one, 'service_started']);
      return [
        name,
        tidy(folder, {
          image,
          command,
          entrypoint,
          env: environment,
          needs: Object.fromEntries([...linked, ...conditions]) as Record<string, string>,
          ports: ports.map((port) => [port.hostIp, port.published, port.target, port.protocol].join(' ')),
          mounts: mounts.map(({ type, source, target, readOnly }) =>
            [type, source, target, readOnly].join(' '),
          ),
          context,
          health: ourHealth(service, project),
        }),
      ];
    }),
  );
}

function ourHealth(service: ComposeService, project: ComposeProject): Health | undefined {
  const { healthcheck } = composeContainer(service, project, createReport());
  if (typeof healthcheck !== 'object') return undefined;
  const { test = [], retries, ...ms } = healthcheck;
  return { test: test.map(plain), retries, ms: ms as Record<string, number> };
}

/** `docker-compose config` prints YAML, `docker compose config` JSON; the values are the same, in short or long forms. */
export async function ofTool(tool: string, one: CorpusCase, folder: string): Promise<ResolvedProject> {
  const files = (one.files ?? ['compose.yml']).flatMap((file) => ['-f', path.join(folder, file)]);
  const profiles = (one.profiles ?? []).flatMap((profile) => ['--profile', profile]);
  const env = { PATH: process.env.PATH, HOME: folder, ...one.env };
  const { stdout } = await promisify(execFile)(tool, [...files, ...profiles, 'config'], { cwd: folder, env });
  const { services } = parse(stdout) as { services: Record<string, Record<string, unknown>> };
  return Object.fromEntries(
    Object.entries(services).map(([name, service]) => [name, fromTool(service, folder)]),
  );
}

type Written = Record<string, unknown>;

function fromTool(service: Written, folder: string): Resolved {
  const build = service.build as Written | string | undefined;
  const needs = service.depends_on as string[] | Record<string, Written> | undefined;
  const links = ((service.links as string[] | undefined) ?? []).map((link) => [
    link.split(':')[0],
    'service_started',
  ]);
  const found = Array.isArray(needs)
    ? needs.map((name) => [name, 'service_started'])
    : Object.entries(needs ?? {}).map(([name, { condition }]) => [name, condition]);
  const env = Object.entries((service.environment as Written | undefined) ?? {});
  const mounts = [...((service.volumes as (string | Written)[] | undefined) ?? [])].map(mountText);
  return tidy(folder, {
    image: service.image as string | undefined,
    command: words(service.command),
    entrypoint: words(service.entrypoint),
    env: Object.fromEntries(
      env.flatMap(([name, value]) => (value === null ? [] : [[name, plain(String(value))]])),
    ),
    needs: Object.fromEntries([...links, ...found]) as Record<string, string>,
    ports: ((service.ports as (string | Written)[] | undefined) ?? []).map(portText),
    mounts: [
      ...mounts,
      ...((service.tmpfs as string[] | undefined) ?? []).map((one) => `tmpfs  ${one.split(':')[0]} false`),
    ],
    context: typeof build === 'string' ? build : (build?.context as string | undefined),
    health: toolHealth(service.healthcheck as Written | undefined),
  });
}

const spans = { interval: 'intervalMs', timeout: 'timeoutMs', start_period: 'startPeriodMs' } as const;

function toolHealth(check: Written | undefined): Health | undefined {
  if (check === undefined) return undefined;
  const written = check.test as string | string[];
  const test = (typeof written === 'string' ? ['CMD-SHELL', written] : written).map(plain);
  const ms = Object.entries(spans).flatMap(([key, name]) =>
    check[key] === undefined ? [] : [[name, parseGoDuration(String(check[key])) ?? Number.NaN] as const],
  );
  return { test, retries: check.retries as number | undefined, ms: Object.fromEntries(ms) };
}

/** In what the tools print, `$$` is a `$`. */
function plain(text: string): string {
  return text.replaceAll('$$', '$');
}

function words(written: unknown): readonly string[] | undefined {
  if (written === undefined || written === null) return undefined;
  return typeof written === 'string' ? shellWords(plain(written))?.words : (written as string[]).map(plain);
}

function portText(port: string | Written): string {
  if (typeof port !== 'string')
    return [port.host_ip, port.published, port.target, port.protocol ?? 'tcp'].join(' ');
  const [address = '', protocol = 'tcp'] = port.split('/');
  const [target, published, host] = address.split(':').reverse();
  return [host, published, target, protocol].join(' ');
}

function mountText(mount: string | Written): string {
  if (typeof mount !== 'string')
    return [mount.type, mount.source, mount.target, mount.read_only ?? false].join(' ');
  const [first = '', target, mode = ''] = mount.split(':');
  if (target === undefined) return ['volume', undefined, first, false].join(' ');
  return [first.startsWith('/') ? 'bind' : 'volume', first, target, mode.includes('ro')].join(' ');
}

/** The same on every machine; which came first does not matter in lists of places. */
function tidy(folder: string, resolved: Resolved): Resolved {
  const inFolder = (text: string): string => text.replaceAll(folder, '~');
  const { ports, mounts, context, ...rest } = resolved;
  return JSON.parse(
    JSON.stringify({
      ...rest,
      ports: [...ports].sort(),
      mounts: mounts.map(inFolder).sort(),
      context: context === undefined ? undefined : inFolder(context),
    }),
  ) as Resolved;
}
