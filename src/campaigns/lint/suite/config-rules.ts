/** Rules on the config: globs that find trials, secrets that can be hidden, peers with a reason, containers of one environment, a log gate that can fail. */
import { containerRunsIn } from '../../../environment/containment/container-runs.ts';
import { shortestSecret } from '../../../journal/redaction.ts';
import { readConfig } from '../../../system/read-config.ts';
import type { System } from '../../../system/system.ts';
import { findTrialFiles } from '../../../trials/load/load-trials.ts';
import type { Trial } from '../../../trials/trial.ts';
import { inTrial, type Rule } from '../rule.ts';
import { silencesAll } from './silenced-gate.ts';
import type { Suite } from './suite.ts';

export const emptySuiteRules: readonly Rule<Suite>[] = [
  {
    kind: 'empty-glob',
    level: 'finding',
    why: 'a trial that is not found is not performed, and a suite without trials cannot fail',
    next: 'correct the glob: it is relative to the config, and files of trials end with .trial.yaml, .flow.ts or .flow.js',
    find: async (suite) =>
      Promise.all(
        (await idleGlobs(suite)).map(async (glob) => ({
          ...(await suite.inConfig(['trials'])),
          text: `\`trials\` has ${JSON.stringify(glob)}, which finds no trial`,
        })),
      ),
  },
  {
    kind: 'no-trials',
    level: 'warning',
    why: 'nothing shows that the system does what it should',
    next: 'write one: docs/tutorials/first-trial.md',
    find: async (suite) =>
      suite.trials.length > 0 || (await idleGlobs(suite)).length > 0
        ? []
        : [{ ...(await suite.inConfig()), text: 'there is no trial' }],
  },
];

/** As written in the config. If there are trials, a glob over every folder cannot be mistyped. */
async function idleGlobs({ system, trials }: Suite): Promise<readonly string[]> {
  const globs = trials.length > 0 ? system.trials.filter((glob) => !glob.startsWith('**/*')) : system.trials;
  const counts = await Promise.all(
    globs.map(async (glob) => (await findTrialFiles({ ...system, trials: [glob] })).length),
  );
  const idle = globs.filter((_glob, index) => counts[index] === 0);
  if (idle.length === 0) return [];
  const { value } = await readConfig(system.file);
  return (value as { readonly trials?: unknown } | null)?.trials === undefined ? [] : idle;
}

export const secretRule: Rule<Suite> = {
  kind: 'weak-secret',
  level: 'warning',
  why: 'it looks like ordinary text or numbers, so ordinary text may be redacted, or the value may stay visible',
  find: async ({ system, env, inConfig }) => {
    const words = new Set(JSON.stringify(system).match(/\w+/g));
    const weak = system.secrets.map(async (name) => {
      const fault = weakness(env[name], words);
      if (fault === undefined) return [];
      return [
        {
          ...(await inConfig(['secrets'])),
          text: `the secret ${name}, as it is set here, ${fault}`,
          next: `give ${name} a value for trials that is at least eight characters long, with letters and digits`,
        },
      ];
    });
    return (await Promise.all(weak)).flat();
  },
};

function weakness(value: string | undefined, words: ReadonlySet<string>): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (value.length < shortestSecret) return `has less than ${shortestSecret} characters, and is not hidden`;
  if (/^\d{1,9}$/.test(value)) return 'is a short number, and is hidden only where no digit is next to it';
  return words.has(value)
    ? 'is a word of the config, and is not hidden where it occurs as that word'
    : undefined;
}

export const settingRules: readonly Rule<Suite>[] = [
  {
    kind: 'unexplained-peer',
    level: 'finding',
    why: 'a real model was not tested; a reader of the result must know what was played and why',
    find: ({ system, inConfig }) =>
      Promise.all(
        system.resources
          .filter((resource) => resource.kind === 'model' && resource.mode !== 'live' && !resource.because)
          .map(async ({ name }) => ({
            ...(await inConfig(['resources', name])),
            text: `the model \`${name}\` is played by a script, but the config does not say why`,
            next: `add \`because\` to \`resources.${name}\`, such as \`because: a real one costs money, and its answers vary\``,
          })),
      ),
  },
  {
    kind: 'catch-all-allowance',
    level: 'finding',
    why: 'errors of that service can no longer fail a trial',
    next: 'match a specific part of the line that you expect',
    find: async ({ system, trials, inConfig }) => {
      const general = (system.logs.allow ?? []).map(async ({ match }, index) =>
        silencesAll(system.logs.error, match)
          ? [{ match, place: await inConfig(['logs', 'allow', index]) }]
          : [],
      );
      const own = trials.flatMap((trial) =>
        silencers(trial, system).map((match) => ({ match, place: inTrial(trial) })),
      );
      return [...(await Promise.all(general)).flat(), ...own].map(({ match, place }) => ({
        ...place,
        text: `the allowance ${JSON.stringify(match)} matches every line that the log gate would catch`,
      }));
    },
  },
  {
    kind: 'fixed-container-name',
    level: 'warning',
    why: 'two environments cannot both have it, and a container that is left is not removed, because it may be of somebody else',
    next: 'put `${environment.id}` into the name, or into a label: `--label of=${environment.id}`',
    find: async ({ system: { services, jobs }, inConfig }) => {
      const found = [['services', services] as const, ['jobs', jobs] as const].flatMap(([part, specs]) =>
        specs.flatMap(({ name, run }) => fixedNames(run).map((fixed) => ({ part, name, fixed }))),
      );
      return Promise.all(
        found.map(async ({ part, name, fixed }) => ({
          ...(await inConfig([part, name, 'run'])),
          text: `\`${part}.${name}\` calls its container \`${fixed}\` in every environment`,
        })),
      );
    },
  },
  {
    kind: 'unused-allowance',
    level: 'warning',
    why: 'an allowance that is not needed hides the next thing that it happens to match',
    next: 'remove it',
    find: ({ allowances, inConfig }) =>
      Promise.all(
        allowances.idle().map(async ({ key, glob, index }) => ({
          ...(await inConfig(['suite', key, 'allow', index])),
          text: `\`suite.${key}\` allows ${JSON.stringify(glob)}, but nothing needs it`,
        })),
      ),
  },
];

/** The environment's own id, as a reference or as the variable that every process has, tells environments apart. */
function fixedNames(run: readonly string[]): readonly string[] {
  return containerRunsIn(run.join(' ')).flatMap(({ name, words }) =>
    name === undefined || /environment\.id|SHAKEDOWN_ENVIRONMENT/.test(words.join(' ')) ? [] : [name],
  );
}

/** Those of the config are in the gate of every trial, and are reported there. */
function silencers({ record: { logs } }: Trial, system: System): readonly string[] {
  const general = (system.logs.allow ?? []).map(({ match }) => match);
  const own = new Set(logs.allow.map(({ match }) => match).filter((match) => !general.includes(match)));
  return [...own].filter((match) => silencesAll(logs.error, match));
}
