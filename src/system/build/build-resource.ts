/** Converts a resource, as written, into the resource to provision. */
import path from 'node:path';
import { defined } from '../../kernel/defined.ts';
import { parseExactJson } from '../../kernel/exact-json.ts';
import type {
  HttpPeerDocument,
  ModelDocument,
  PostgresDocument,
  RedisDocument,
  ResourceDocument,
} from '../document/resource-documents.ts';
import type { ConfigSource } from '../source/config-source.ts';
import type { HttpPeerSpec, ModelSpec, PostgresSpec, RedisSpec, ResourceSpec } from '../system.ts';
import { buildModelLine } from './build-model-line.ts';
import { buildPeerLine } from './build-peer-line.ts';

export function buildResource(name: string, resource: ResourceDocument, source: ConfigSource): ResourceSpec {
  if (resource.kind === 'telemetry' || resource.kind === 'sqlite') return { kind: resource.kind, name };
  if (resource.kind === 'postgres') return buildPostgres(name, resource, source);
  if (resource.kind === 'redis') return buildRedis(name, resource, source);
  const folder = path.dirname(source.file);
  return resource.kind === 'model'
    ? buildModel(name, resource, folder)
    : buildHttpPeer(name, resource, folder);
}

function buildRedis(name: string, resource: RedisDocument, source: ConfigSource): RedisSpec {
  const settings = settingsOf(name, resource, source);
  return defined({ kind: 'redis', name, url: resource.url, settings });
}

function buildPostgres(name: string, resource: PostgresDocument, source: ConfigSource): PostgresSpec {
  return defined({
    kind: 'postgres',
    name,
    url: resource.url,
    image: resource.image,
    share: resource.schemaPerService
      ? 'schema-per-service'
      : resource.databasePerService
        ? 'database-per-service'
        : 'database',
    settings: settingsOf(name, resource, source),
  });
}

/** As texts: a number as it is written. */
function settingsOf(
  name: string,
  { settings }: PostgresDocument | RedisDocument,
  source: ConfigSource,
): Readonly<Record<string, string>> {
  const texts = Object.entries(settings ?? {}).map(([key, value]): [string, string] => [
    key,
    typeof value === 'string'
      ? value
      : (source.written(['resources', name, 'settings', key]) ?? String(value)),
  ]);
  return Object.fromEntries(texts);
}

const defaultCassettes = 'shakedown/cassettes';

function buildModel(name: string, resource: ModelDocument, folder: string): ModelSpec {
  const { because, keys, models, budget } = resource;
  return {
    kind: 'model',
    name,
    mode: resource.mode ?? 'script',
    ...defined({ because }),
    strict: resource.strict ?? false,
    ...defined({ keys, models }),
    standing: Object.fromEntries(
      Object.entries(resource.standing ?? {}).map(([caller, lines]) => [caller, lines.map(buildModelLine)]),
    ),
    fixtures: (resource.fixtures ?? []).map((file) => path.resolve(folder, file)),
    upstreams: resource.upstreams ?? {},
    prices: withoutGaps(resource.prices ?? {}) as ModelSpec['prices'],
    ...defined({ budget: budget && (withoutGaps(budget) as ModelSpec['budget']) }),
    cassettes: path.resolve(folder, resource.cassettes ?? defaultCassettes),
    timing: resource.timing ?? 'compressed',
  };
}

function buildHttpPeer(name: string, resource: HttpPeerDocument, folder: string): HttpPeerSpec {
  const { upstream } = resource;
  return {
    kind: 'http',
    name,
    because: resource.because,
    standing: (resource.standing ?? []).map(buildPeerLine),
    callbacks: resource.callbacks ?? {},
    mode: resource.mode ?? 'script',
    ...defined({ upstream: upstream && (withoutGaps(upstream) as HttpPeerSpec['upstream']) }),
    cassettes: path.resolve(folder, resource.cassettes ?? path.join(defaultCassettes, name)),
    timing: resource.timing ?? 'compressed',
  };
}

/** A key without a value counts as absent. */
function withoutGaps(value: object): unknown {
  return parseExactJson(JSON.stringify(value));
}
