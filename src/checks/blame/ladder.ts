/** A ladder asks the same thing at every level, bottom up: the first rung that fails names the party to blame. */
import { outside } from '../../journal/topology.ts';
import { eventsOf } from '../../journal/trial-event.ts';
import type { AttemptView } from '../attempt-view.ts';
import { stepCheckId } from '../judge-steps.ts';
import type { CheckVerdict } from '../verdict.ts';
import type { Blame } from './blame.ts';
import { isGoodAnswer } from './legality.ts';
import { sharesStore } from './reference/outputs-of.ts';
import type { Traffic } from './traffic.ts';
import { sharedPlaces } from './unseen-input.ts';

/** Undefined if no rung failed, or if one below is unknown; `held` are the rungs below, which all held, `below` their parties. */
export function firstFailedRung({ record }: AttemptView, verdicts: readonly CheckVerdict[]) {
  const held: string[] = [];
  const below: string[] = [];
  for (const { name, rung } of record.steps) {
    if (!rung) continue;
    const verdict = verdicts.find(({ id }) => id === stepCheckId(name));
    if (verdict?.verdict === 'failed') return { step: name, rung, verdict, held, below };
    if (verdict && verdict.verdict !== 'passed') return undefined;
    held.push(rung.name);
    below.push(rung.party);
  }
  return undefined;
}

/** Only where its party cannot have passed on what another one did. */
export function blameRung(traffic: Traffic, verdicts: readonly CheckVerdict[]): Blame | undefined {
  const failed = firstFailedRung(traffic.view, verdicts);
  if (!failed || !gotGoodInput(failed, traffic)) return undefined;
  const { rung, verdict, held } = failed;
  const below = held.length === 0 ? 'nothing is below it' : `${held.join(', ')} held`;
  return {
    party: rung.party,
    rule: 'ladder',
    because: `first failing rung: ${rung.name}; ${below}`,
    evidence: verdict.evidence,
  };
}

type FailedRung = NonNullable<ReturnType<typeof firstFailedRung>>;

/** From a rung that held, from a peer that does as the trial says, from a store of its own; of others it is not known. */
function gotGoodInput({ step, rung, below }: FailedRung, traffic: Traffic): boolean {
  const { view } = traffic;
  const { party } = rung;
  const isKnown = (other: string): boolean =>
    other === outside || below.includes(other) || traffic.isPlayed(other) || traffic.isStore(other);
  const started = eventsOf(view.events, 'step.started').find((event) => event.step === step)?.at ?? 0;
  const ended = view.steps.get(step)?.at ?? Number.POSITIVE_INFINITY;
  const isDuring = (at: number): boolean => at >= started && at <= ended;
  const asked = traffic.askedBy(party).filter(({ call }) => isDuring(call.startedAt - view.keeperAt));
  return (
    asked.every((call) => isKnown(call.call.to) && isGoodAnswer(call, traffic)) &&
    asked.every(({ call }) => call.incomplete !== 'in-flight') &&
    traffic.askedOf(party).every(({ call }) => isKnown(call.from)) &&
    (view.before?.calls ?? []).every(
      ({ from, to }) => (from !== party || isKnown(to)) && (to !== party || isKnown(from)),
    ) &&
    !view.refusals.some(({ from, at }) => from === party && isDuring(at)) &&
    traffic.unseenFrom(party).every(({ to }) => below.includes(to)) &&
    !sharesStore(party, traffic) &&
    sharedPlaces(party, traffic).length === 0
  );
}
