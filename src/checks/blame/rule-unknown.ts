/** Rule 5, unknown: nobody can be named, and this would have shown it. */
import { unfeltDisturbs } from '../judge-disturbs.ts';
import { isScriptFault } from '../judge-scripts.ts';
import type { Blame } from './blame.ts';
import type { Divergent } from './rule-divergence.ts';
import { mostBlamedCalls, type Traffic } from './traffic.ts';

/** `known` is what is known and does not suffice. */
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
  if (asked && !divergent)
    return `${asked.caller} asked what the script of ${asked.resource} does not know, and which of the two is wrong cannot be told`;
  return divergent?.why ?? 'nobody died, was silent, broke a rule of a protocol or a relay';
}

function whatWouldShow(traffic: Traffic, divergent: Divergent | undefined): string {
  const { view } = traffic;
  if (!divergent) return 'once a whole run has passed, the next failure of this trial is compared with it';
  const edges = (view.topology?.edges ?? [])
    .filter(({ from, to }) => traffic.unseenFrom(from).some((edge) => edge.to === to))
    .map(({ from, to }) => `${from} -> ${to}`);
  if (edges.length > 0) return `nobody sees what passes on ${edges.slice(0, 3).join(', ')}`;
  const services = (view.topology?.parties ?? []).filter(({ kind }) => kind === 'service');
  const untapped = services.filter(
    ({ name }) => !view.topology?.edges.some(({ from, to }) => from === name || to === name),
  );
  const [first] = untapped;
  return first ? `no edge leads to or from ${first.name}: refer to it by \`\${${first.name}.url}\`` : '';
}
