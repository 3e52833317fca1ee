/** Rule 5, unknown: no party can be named, and this would have shown it. */
import { unfeltDisturbs } from '../judge-disturbs.ts';
import { isScriptFault, sentAgainBy } from '../judge-scripts.ts';
import type { Blame } from './blame.ts';
import type { Divergent } from './rule-divergence.ts';
import { mostBlamedCalls, type Traffic } from './traffic.ts';

/** `known` is what is known but does not suffice. */
export function blameUnknown(traffic: Traffic, divergent: Divergent | undefined, known?: string): Blame {
  const because = [known ?? whyUnknown(traffic, divergent), whatWouldShow(traffic, divergent)]
    .filter(Boolean)
    .join('; ');
  return { party: null, rule: 5, because, evidence: [] };
}

function whyUnknown(traffic: Traffic, divergent: Divergent | undefined): string {
  const { view } = traffic;
  const [unfelt] = unfeltDisturbs(view);
  if (unfelt && view.ended?.end === 'done') return `${unfelt.name} on ${unfelt.edge} was never felt`;
  if (view.calls.length > mostBlamedCalls)
    return `more than ${mostBlamedCalls} calls crossed the edges, too many to be compared`;
  const asked = view.modelCalls.find(({ fault }) => isScriptFault(fault?.kind));
  const again = asked && sentAgainBy(view, asked);
  if (again !== undefined)
    return `${again} sent a request a second time, and the script of ${asked?.resource} has no line for it`;
  if (asked && !divergent)
    return `${asked.caller} made a request that is not in the script of ${asked.resource}, and it cannot be decided which of the two is wrong`;
  return divergent?.why ?? 'no party died, was silent, or broke a rule of a protocol or a relay';
}

function whatWouldShow(traffic: Traffic, divergent: Divergent | undefined): string {
  const { view } = traffic;
  if (!divergent) return 'once a whole run has passed, the next failure of this trial is compared with it';
  const edges = (view.topology?.edges ?? [])
    .filter(({ from, to }) => traffic.unseenFrom(from).some((edge) => edge.to === to))
    .map(({ from, to }) => `${from} -> ${to}`);
  if (edges.length > 0) return `traffic on ${edges.slice(0, 3).join(', ')} cannot be observed`;
  const services = (view.topology?.parties ?? []).filter(({ kind }) => kind === 'service');
  const untapped = services.filter(
    ({ name }) => !view.topology?.edges.some(({ from, to }) => from === name || to === name),
  );
  const [first] = untapped;
  return first ? `no edge leads to or from ${first.name}: refer to it by \`\${${first.name}.url}\`` : '';
}
