/** The endpoints that an OpenAPI document declares, of version 2 and 3. Pure. */
import { isMap } from '../../../kernel/is-map.ts';
import { Problem } from '../../../kernel/problem.ts';
import { parseYamlDocument } from '../../../system/source/yaml-document.ts';
import type { Looking } from './looking.ts';

export interface OpenApi {
  /** Path with `{…}` to its methods, in upper case. */
  readonly paths: ReadonlyMap<string, readonly string[]>;
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/** Undefined where the value is none. */
export function readOpenApi(value: unknown): OpenApi | undefined {
  if (!isMap(value) || !isMap(value.paths)) return undefined;
  if (typeof value.openapi !== 'string' && typeof value.swagger !== 'string') return undefined;
  const bases = basesOf(value);
  const paths = Object.entries(value.paths).flatMap(([path, item]) => {
    const known = isMap(item)
      ? methods.filter((method) => method in item).map((method) => method.toUpperCase())
      : [];
    return bases.map((base) => [`${base}${path}`, known] as const);
  });
  return { paths: new Map(paths) };
}

/** Base paths of the servers; also none, because a proxy in front may have removed it. */
function basesOf(document: { readonly [key: string]: unknown }): readonly string[] {
  const servers = Array.isArray(document.servers) ? document.servers : [];
  const urls = servers.flatMap((server: unknown) =>
    isMap(server) && typeof server.url === 'string' ? [server.url] : [],
  );
  const found = [...urls, ...(typeof document.basePath === 'string' ? [document.basePath] : [])].map(
    pathnameOf,
  );
  return [...new Set(['', ...found])];
}

function pathnameOf(url: string): string {
  const plain = url.replaceAll(/\{[^}]*\}/g, 'x');
  return (URL.canParse(plain) ? new URL(plain).pathname : plain).replace(/\/+$/, '');
}

/** The declared paths that a path of a trial may match; a segment with `${…}` may be anything. */
export function declaredFor(
  { paths }: OpenApi,
  path: string,
): readonly (readonly [string, readonly string[]])[] {
  const wanted = segmentsOf(path);
  return [...paths].filter(([declared]) => {
    const segments = segmentsOf(declared);
    return (
      segments.length === wanted.length &&
      segments.every((segment, index) => {
        const word = wanted[index] ?? '';
        return segment.includes('{') || word.includes('${') || segment === word;
      })
    );
  });
}

function segmentsOf(path: string): readonly string[] {
  const [plain = ''] = path.split(/[?#]/);
  return plain.split('/').filter((segment) => segment !== '');
}

const usualPlaces = [
  '/openapi.json',
  '/openapi.yaml',
  '/swagger.json',
  '/v3/api-docs',
  '/api/openapi.json',
  '/.well-known/openapi.json',
];

/** Undefined if it serves none. One that the config names must exist. */
export async function findOpenApi(target: string, looking: Looking): Promise<OpenApi | undefined> {
  const { system, ask } = looking;
  const configured = system.suite?.openapi?.[target.split('.')[0] ?? ''];
  for (const path of configured === undefined ? usualPlaces : [configured]) {
    const evidence = await ask('http', { method: 'GET', target, path }, system.folder);
    const found =
      evidence.status === 200 ? readOpenApi(evidence.json ?? parsed(path, evidence.text)) : undefined;
    if (found) return found;
  }
  if (configured === undefined) return undefined;
  throw new Problem({
    code: 'config.bad-value',
    where: `suite.openapi.${target}`,
    what: `${target} serves no OpenAPI document at ${configured}`,
    allowed: 'the path of a document in JSON or YAML, with `openapi` and `paths`',
    next: `look at it: shakedown up -- curl -s '\${${target}.url}${configured}'`,
  });
}

function parsed(name: string, text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return parseYamlDocument(name, text, 'config.syntax').value;
  } catch {
    return undefined; // a page that is not a document
  }
}
