/** A trial whose only programs have nothing to do with the system: `echo hi` ends with 0 whatever the system does. */
import { outside } from '../journal/topology.ts';
import { isContainer } from '../kernel/exact-json.ts';
import { programsIn } from '../kinds/command/shell-script.ts';
import { stepKeyIn, stepKind } from '../kinds/step-kinds.ts';
import type { AttemptView } from './attempt-view.ts';

/** True only where it is certain: every step ran a program from elsewhere, and nothing came through a tap. */
export function isUntouched({ events, record, calls, refusals, topology }: AttemptView): boolean {
  const acts = record.steps.filter(({ driver }) => !stepKind(driver).onlyWaits);
  if (acts.length === 0 || !acts.every(({ driver }) => stepKind(driver).startsProgram)) return false;
  if ([...calls.map(({ call }) => call), ...refusals].some(({ from }) => from === outside)) return false;
  // What crosses an edge that is not read leaves no call.
  const isRead = (topology?.edges ?? []).every(({ from, seen }) => from !== outside || seen === 'calls');
  if (!topology || !isRead) return false;
  return events.every((event) => event.type !== 'step.started' || !namesSystem(event.sent));
}

/** A program that may be one of the system, an address, or a folder of a service. */
function namesSystem(sent: unknown): boolean {
  const step = isContainer(sent) && !Array.isArray(sent) ? (sent as Readonly<Record<string, unknown>>) : {};
  const key = stepKeyIn(step);
  if (key === undefined) return false;
  // In the container of a service.
  if (step.in !== undefined) return true;
  if (programsIn(step[key]).some((program) => !everywhere.test(program))) return true;
  return textsIn(step).some((text) => text.split(/[\s'"=]+/).some((word) => isOfProject(word)));
}

/** What every machine has; a program of any other name, or one that runs others, may be the system's own command line. */
const everywhere =
  /^(?:\/(?:usr\/)?s?bin\/)?(?:true|false|:|echo|printf|test|\[|sleep|date|cat|head|tail|wc|sort|grep|ls|pwd|id|whoami|hostname|uname|seq|expr|exit)$/;

/** A name with a suffix, which may be of a file that the system writes. */
const isFile = /\w\.[a-z]\w*$/i;

const elsewhere = /^\/(?:bin|sbin|usr|opt|nix|dev|etc|proc)(?:\/|$)/;

function isOfProject(word: string): boolean {
  if (/^\w+:\/\/|127\.0\.0\.1|localhost|\[::1\]/.test(word)) return true;
  return (word.includes('/') && !elsewhere.test(word)) || isFile.test(word);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return isContainer(value) ? Object.values(value).flatMap(textsIn) : [];
}
