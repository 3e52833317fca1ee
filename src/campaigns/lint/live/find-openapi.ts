/** The OpenAPI document of a service, where the config says that it is, or in one of the usual places. */
import { Problem } from '../../../kernel/problem.ts';
import { parseYamlDocument } from '../../../system/source/yaml-document.ts';
import type { Looking } from './looking.ts';
import { type OpenApi, readOpenApi } from './openapi-document.ts';

const usualPlaces = [
  '/openapi.json',
  '/openapi.yaml',
  '/swagger.json',
  '/v3/api-docs',
  '/api/openapi.json',
  '/.well-known/openapi.json',
];

/** Undefined where it serves none. One that the config promises must be there. */
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
    return undefined; // a page that is no document is none
  }
}
