/** The endpoints that an OpenAPI document declares, of version 2 and 3. Pure. */
import { isMap } from '../../../protocols/json-rpc/is-map.ts';

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

/** What servers are mounted under; nothing, too, because a proxy in front may have taken it away. */
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

/** The declared paths that a path of a trial may mean; a part with `${…}` in it may be anything. */
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
