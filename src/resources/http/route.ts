/** Which requests a line of a script is for: a method and a path with wildcards. */

/** A character of the path, `*` for any of one segment, `**` for any at all. */
type Token = string;

export interface Route {
  /** `*` for every one. */
  readonly method: string;
  readonly tokens: readonly Token[];
}

/** `POST /send`, `GET /users/*`, `* /**`. Undefined when the text is not a route. */
export function parseRoute(on: string): Route | undefined {
  const [, method, path] = /^(\S+) +(\/\S*)$/.exec(on.trim()) ?? [];
  if (method === undefined || path === undefined) return undefined;
  return { method: method.toUpperCase(), tokens: path.match(/\*\*|./gsu) ?? [] };
}

/** Takes a time that grows with the path and with the route, never with their product of gaps, as an expression would. */
export function fitsRoute(route: Route, method: string, path: string): boolean {
  if (route.method !== '*' && route.method !== method) return false;
  const { tokens } = route;
  let places = passGaps(new Set([0]), tokens);
  for (const character of path) {
    const next = new Set<number>();
    for (const place of places) {
      const token = tokens[place];
      if (token === '**' || (token === '*' && character !== '/')) next.add(place);
      else if (token === character) next.add(place + 1);
    }
    if (next.size === 0) return false;
    places = passGaps(next, tokens);
  }
  return places.has(tokens.length);
}

/** A gap may be empty. */
function passGaps(places: Set<number>, tokens: readonly Token[]): Set<number> {
  for (const place of places) if (tokens[place] === '*' || tokens[place] === '**') places.add(place + 1);
  return places;
}

/** The segments of a path for which a route has a gap, up to the first gap of any length. */
export function gapsIn(on: string, path: string): readonly string[] {
  const segments = path.split('/');
  const written = on.slice(on.indexOf('/')).split('/');
  const end = written.findIndex((segment) => segment.includes('**'));
  return written
    .slice(0, end === -1 ? undefined : end)
    .flatMap((segment, index) => (segment.includes('*') ? [segments[index] ?? ''] : []));
}
