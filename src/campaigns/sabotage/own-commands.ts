/** Whether a step is a command of the test alone: tools of the machine, on words and files of the trial. */
import type { AttemptView } from '../../checks/attempt-view.ts';
import { isContainer } from '../../kernel/exact-json.ts';
import { ownWords } from '../../kinds/command/plain-tools.ts';
import type { Spec } from '../../kinds/kind/step-kind.ts';
import { stepKeyIn, stepKind } from '../../kinds/step-kinds.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import { walkPlaces } from './walk-places.ts';

/** Nothing that the system does changes how it ends or what it prints. */
export function isOwnCommand(view: AttemptView, step: string): boolean {
  const sent = sentIn(view);
  const at = sent.findIndex(({ name }) => name === step);
  const words = wordsOf(sent[at]?.spec);
  if (words === undefined || view.record.steps.find(({ name }) => name === step)?.uses?.length) return false;
  const text = words.join(' ');
  const earlier = sent.slice(0, at);
  if (earlier.some(({ name }) => repeatsAnswer(text, view.steps.get(name)?.evidence))) return false;
  const files = words.filter((word) => /[./]/.test(word));
  const programs = sent.filter(({ spec }) => startsOtherProgram(spec));
  // One that was started in the folder of the trial may have written there.
  return files.every(
    (file) =>
      (file.includes('/') || programs.length === 0) &&
      !sent.some(
        ({ spec }) => wordsOf(spec) === undefined && JSON.stringify(spec).includes(file.replace(/^\.\//, '')),
      ),
  );
}

/** Whether a check runs nothing but tools of the machine on words of the trial, none of which can be a file. */
export function isOwnLook(spec: Spec): boolean {
  return ownWords(spec)?.every((word) => !/[./]/.test(word)) ?? false;
}

/** Whether a program other than those tools was started, which may have sent what the trial itself has not. */
export function hasPrograms(view: AttemptView): boolean {
  return sentIn(view).some(({ spec }) => startsOtherProgram(spec));
}

function sentIn({ events }: AttemptView): readonly { readonly name: string; readonly spec: Spec }[] {
  return events.flatMap((event) =>
    event.type === 'step.started' && isPlainMap(event.sent) ? [{ name: event.step, spec: event.sent }] : [],
  );
}

function wordsOf(spec: Spec | undefined): readonly string[] | undefined {
  return spec?.command === undefined || spec.stays === true ? undefined : ownWords(spec);
}

function startsOtherProgram(spec: Spec): boolean {
  return stepKind(stepKeyIn(spec) ?? '').startsProgram === true && wordsOf(spec) === undefined;
}

const leastChars = 2;

function repeatsAnswer(text: string, evidence: unknown): boolean {
  return walkPlaces(evidence).some(({ value }) => {
    if (isContainer(value) || typeof value === 'boolean') return false;
    const said = String(value).trim();
    return said.length >= leastChars && text.includes(said);
  });
}
