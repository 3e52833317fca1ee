/** From a request to the plan of a run: the system, the selected trials, the gate, quarantine and requirements. */
import { judgedBadly } from '../../checks/verdict.ts';
import { defined } from '../../kernel/defined.ts';
import { badUsage } from '../../kernel/problem.ts';
import { loadRequirements } from '../../requirements/load/load-requirements.ts';
import { prioritiesOf } from '../../requirements/priority.ts';
import { attachedNames } from '../../system/attached/attached-services.ts';
import type { System } from '../../system/system.ts';
import { loadTrials } from '../../trials/load/load-trials.ts';
import { quarantineFile, readQuarantine } from '../../trials/quarantine/read-quarantine.ts';
import { planRequirements } from '../coverage/plan-requirements.ts';
import { planQuarantine } from '../flakes/plan-quarantine.ts';
import { judgeRun } from '../run/judge-run.ts';
import { type Selection, selectTrials } from '../run/select-trials.ts';
import { findRun } from './find-run.ts';
import { findGate } from './gates.ts';
import type { Host } from './host.ts';
import { environmentsForTrials } from './how-many-environments.ts';
import { type EnvironmentRequest, identifyRun } from './open-session.ts';
import { openSystem } from './open-system.ts';
import type { PlannedRun } from './perform-run.ts';
import { type PlanParts, planRun } from './plan-run.ts';
import { withWhoAnswers } from './who-answers.ts';

export interface SuiteRequest
  extends EnvironmentRequest,
    Pick<Selection, 'words' | 'tags'>,
    Pick<PlanParts, 'rounds' | 'shuffled' | 'isolation' | 'answers'> {
  readonly shard: Selection['shard'];
  readonly gate: string | undefined;
  readonly lastFailed: boolean;
  readonly attach: boolean;
  readonly noSkips: boolean;
  readonly parallel: number | undefined;
  /** No more trials are started after the first that did not pass. */
  readonly bail: boolean;
  /** The environment of the first failure is held. */
  readonly debug: boolean;
}

export async function planSuite(host: Host, request: SuiteRequest): Promise<PlannedRun> {
  const { attach, answers, shard } = request;
  refuseAttached(request);
  const system = withWhoAnswers(await openSystem(host), answers);
  refuseIsolation(request, system);
  const trials = await loadTrials(system);
  const quarantined = await readQuarantine(system.folder, trials);
  const gate = findGate(request.gate, system);
  const catalogue = await loadRequirements(system);
  const selected = selectTrials(trials, {
    words: request.words,
    tags: request.tags,
    cwd: host.cwd,
    ...defined({ gate, shard, ids: request.lastFailed ? await failedLast(host) : undefined }),
    priorities: prioritiesOf(catalogue?.requirements ?? []),
  });
  const plan = await planRun(host, system, trials.length, selected, {
    ...identifyRun(host, system, request),
    rounds: request.rounds,
    shuffled: request.shuffled,
    attached: attach,
    isolation: request.isolation,
    answers,
    shard,
    skips: request.noSkips ? 'forbid' : (gate?.skips ?? 'allow'),
    requirements: await planRequirements(host, request, { system, catalogue, trials, gate }),
    quarantine: planQuarantine({
      file: quarantineFile,
      entries: quarantined,
      policy: gate?.quarantine ?? 'allow',
      systemFolder: system.folder,
      now: host.clock.now(),
    }),
  });
  return {
    plan,
    trials: selected.trials,
    parallel: attach || request.debug ? 1 : environmentsForTrials(system, request.parallel),
    containment: request.containment,
    bail: request.bail,
    debug: request.debug,
  };
}

/** What is somebody else's is never restarted or made fresh. */
function refuseIsolation({ isolation }: SuiteRequest, system: System): void {
  const [name] = attachedNames(system);
  if (name === undefined || isolation === undefined || isolation === 'shared') return;
  throw badUsage(
    `--isolation ${isolation}`,
    `${name} is somebody else's (\`at\`): it is never restarted or made fresh`,
    '--isolation shared, in a system with a service that has `at`',
    'leave out `--isolation`: trials are shared then',
  );
}

/** An environment that another process holds stays as it was started. */
function refuseAttached({ attach, answers, isolation }: SuiteRequest): void {
  if (!attach) return;
  if (isolation === 'fresh')
    throw badUsage(
      '--attach --isolation fresh',
      'an environment that another process holds cannot be made fresh',
      '--attach with restart or shared',
      'leave out `--attach`, or write `--isolation restart`',
    );
  const [asked] = Object.keys(answers);
  if (asked !== undefined)
    throw badUsage(
      asked === 'recording' ? 'shakedown record --attach' : `shakedown run --attach --${asked}`,
      'in an environment that is up, the modes of models and third parties cannot be changed',
      'these options without `--attach`, on an environment of its own',
      'leave out `--attach`, or set `mode` in the config before `shakedown up`',
    );
}

/** Judged from the evidence: a trial that cannot be read did not pass. */
async function failedLast(host: Host): Promise<readonly string[]> {
  const { trials } = await judgeRun(await findRun(host, 'latest'));
  return trials.filter(({ verdict }) => judgedBadly(verdict)).map(({ id }) => id);
}
