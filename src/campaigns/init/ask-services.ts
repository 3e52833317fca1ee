/** Asks a running system what it answers over HTTP: at the paths that services have, twice, and what was the same. */
import type { ActEvidence } from '../../drivers/driver.ts';
import type { ServiceSpec } from '../../system/system.ts';
import type { Looking } from '../lint/live/looking.ts';
import { findOpenApi } from '../lint/live/openapi-document.ts';
import { type SteadyPattern, steadyPattern } from './steady-pattern.ts';

export interface Answered extends SteadyPattern {
  /** A service, or `service.listener`. */
  readonly target: string;
  readonly path: string;
}

const usualPaths = ['/', '/health', '/healthz', '/api/health', '/ready', '/status', '/version', '/ping'];
const mostDeclared = 8;
/** What counts seconds differs after that. */
const pauseMs = 1_100;

/** One of each listener that speaks HTTP. */
export async function askServices(looking: Looking): Promise<readonly Answered[]> {
  const targets = looking.system.services.filter(({ name }) => !looking.down.has(name)).flatMap(targetsOf);
  const firsts = await Promise.all(targets.map((target) => askFirst(target, looking)));
  await looking.clock.sleep(pauseMs, looking.signal);
  const answered = await Promise.all(firsts.map((first) => askAgain(first, looking)));
  return answered.flatMap((one) => one ?? []);
}

function targetsOf({ name, listen }: ServiceSpec): readonly string[] {
  return listen.flatMap(({ scheme, name: listener }, index) =>
    scheme === 'http' ? [index === 0 ? name : `${name}.${listener}`] : [],
  );
}

interface First {
  readonly target: string;
  readonly answers: ReadonlyMap<string, ActEvidence>;
}

/** What answers to `/` with something else than HTTP is asked nothing more. */
async function askFirst(target: string, looking: Looking): Promise<First> {
  const root = await get(target, '/', looking);
  if (root.error) return { target, answers: new Map() };
  const declared = await declaredPaths(target, looking);
  const answers = new Map<string, ActEvidence>();
  for (const path of [...declared, ...usualPaths])
    answers.set(path, path === '/' ? root : await get(target, path, looking));
  return { target, answers };
}

/** Those without parameters that can be read. */
async function declaredPaths(target: string, looking: Looking): Promise<readonly string[]> {
  const openApi = await findOpenApi(target, looking);
  const paths = [...(openApi?.paths ?? [])].filter(
    ([path, methods]) => methods.includes('GET') && !path.includes('{'),
  );
  return paths.map(([path]) => path).slice(0, mostDeclared);
}

/** Of what went well, the one that says most; else how `/` is refused. */
async function askAgain({ target, answers }: First, looking: Looking): Promise<Answered | undefined> {
  const well = [...answers].filter(([, { status }]) => typeof status === 'number' && status < 300);
  const refused = [...answers].filter(([path, { status }]) => path === '/' && Number(status) < 500);
  const found: Answered[] = [];
  for (const [path, first] of well.length > 0 ? well : refused) {
    const pattern = steadyPattern(first, await get(target, path, looking));
    if (pattern) found.push({ target, path, ...pattern });
  }
  return found.sort((a, b) => b.facts - a.facts)[0];
}

function get(target: string, path: string, { ask, system }: Looking): Promise<ActEvidence> {
  return ask('http', { method: 'GET', target, path }, system.folder);
}
