/** Makes a config from what a team has already: by the name of the file. */
import path from 'node:path';
import { Problem } from '../../kernel/problem.ts';
import { readText } from '../source/read-text.ts';
import { deriveAddress } from './derive-address.ts';
import { deriveCompose } from './derive-compose.ts';
import { derivePackage } from './derive-package.ts';
import { deriveProcfile } from './derive-procfile.ts';
import { derivePyproject } from './derive-pyproject.ts';
import type { DerivedConfig } from './derived-config.ts';

export interface DeriveRequest {
  /** As it was named. */
  readonly source: string;
  /** Absolute. */
  readonly file: string;
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
}

interface SourceKind {
  readonly names: RegExp;
  readonly shown: string;
  readonly derive: (request: DeriveRequest) => Promise<DerivedConfig>;
}

const kinds: readonly SourceKind[] = [
  { names: /\.ya?ml$/, shown: 'a compose file (docker-compose.yml, compose.yaml)', derive: deriveCompose },
  { names: /^Procfile(?:\.\w+)?$/, shown: 'Procfile', derive: deriveProcfile },
  { names: /^package\.json$/, shown: 'package.json', derive: derivePackage },
  { names: /^pyproject\.toml$/, shown: 'pyproject.toml', derive: derivePyproject },
];

/** `cwd` is where the config for an address goes. */
export async function deriveConfig(
  source: string,
  { cwd, env }: { readonly cwd: string; readonly env: DeriveRequest['hostEnv'] },
): Promise<DerivedConfig> {
  if (source.includes('://')) return deriveAddress({ source, folder: cwd });
  const request = { source, file: path.resolve(cwd, source), hostEnv: env };
  await readText(request.file, {
    noun: 'file',
    absent: 'config.not-found',
    unreadable: 'config.unreadable',
  });
  const kind = kinds.find(({ names }) => names.test(path.basename(request.file)));
  if (kind === undefined) throw unknownKind(request);
  return kind.derive(request);
}

function unknownKind({ source }: DeriveRequest): Problem {
  return new Problem({
    code: 'usage.bad-value',
    where: 'shakedown init --from',
    what: `nothing is known to be made of ${JSON.stringify(source)}`,
    allowed: [...kinds.map(({ shown }) => shown), 'an address such as http://127.0.0.1:8080'].join(', '),
    next: 'name one of these, or begin with `shakedown init`',
  });
}
