/** What a config says that makes its suite worth less: peers played without a reason, and allowances that silence the log gate. */
import type { LintFinding } from '../../../checks/lint-finding.ts';
import { readConfig } from '../../../system/read-config.ts';
import type { DocumentPath } from '../../../system/source/document-path.ts';
import type { System } from '../../../system/system.ts';
import type { Trial } from '../../../trials/trial.ts';
import { baseId, type LintPlace, slashed } from '../place-of-part.ts';
import { type Allowances, idleFinding } from './allowances.ts';
import { silencesAll } from './silenced-gate.ts';

/** Where a part of the config stands. The file is read again only where there is something to tell. */
export type ConfigPlace = (path: DocumentPath) => Promise<LintPlace>;

export function configPlaces({ file, folder }: System): ConfigPlace {
  let read: ReturnType<typeof readConfig> | undefined;
  return async (path) => {
    read ??= readConfig(file);
    const { source } = await read;
    return { file: slashed(source.file.slice(folder.length + 1)), line: source.keyPosition(path).line };
  };
}

export async function configFindings(
  system: System,
  trials: readonly Trial[],
  allowances: Allowances,
): Promise<readonly LintFinding[]> {
  const place = configPlaces(system);
  const peers = system.resources
    .filter((resource) => resource.kind === 'model' && resource.mode !== 'live' && !resource.because)
    .map(async ({ name }) => unexplained(name, await place(['resources', name])));
  const silenced = (system.logs.allow ?? []).flatMap((allowance, index) =>
    silencesAll(system.logs.error, allowance.match)
      ? [place(['logs', 'allow', index]).then((at) => catchAll(allowance.match, at))]
      : [],
  );
  const idle = allowances
    .idle()
    .map(async (one) => idleFinding(one, await place(['suite', one.key, 'allow', one.index])));
  return [
    ...(await Promise.all([...peers, ...silenced, ...idle])),
    ...trials.flatMap((one) => inTrial(one, system)),
  ];
}

/** Those of the config are in the gate of every trial, and are told there. */
function inTrial({ record, ...trial }: Trial, system: System): readonly LintFinding[] {
  const general = system.logs.allow ?? [];
  const own = record.logs.allow.filter(({ match }) => !general.some((one) => one.match === match));
  const matches = new Set(
    own.map(({ match }) => match).filter((match) => silencesAll(record.logs.error, match)),
  );
  return [...matches].map((match) => ({
    ...catchAll(match, { file: slashed(record.file), line: record.line }),
    trial: baseId({ record, ...trial }),
  }));
}

function unexplained(name: string, place: LintPlace): LintFinding {
  return {
    kind: 'unexplained-peer',
    level: 'finding',
    ...place,
    text: `the model \`${name}\` is played by a script, and the config does not say why`,
    why: 'what is not the real thing was not tried; whoever reads the result must know what was played, and for which reason',
    next: `add \`because\` to \`resources.${name}\`, such as \`because: a real one costs money, and never answers twice the same\``,
  };
}

function catchAll(match: string, place: LintPlace): LintFinding {
  return {
    kind: 'catch-all-allowance',
    level: 'finding',
    ...place,
    text: `the allowance ${JSON.stringify(match)} matches every line that the log gate would catch`,
    why: 'no error of that service can fail a trial any more',
    next: 'write a part of the one line that you expect',
  };
}
