/** `junit.xml`: a run in the form that Jenkins, GitLab and most CI systems read. */
import type { RunVerdict, TrialVerdict } from '../../checks/verdict.ts';
import { printable } from '../../kernel/printable.ts';
import { formatTrial } from '../terminal/format-trial.ts';
import { type Stories, trialOutcome } from './trial-outcome.ts';

const storyChars = 32_000;
// Some readers refuse a whole report above 30 MB.
const allStoriesChars = 16_000_000;

export function junitXml(run: RunVerdict, stories: Stories = new Map()): string {
  const write = caseWriter(stories);
  const suites = [...Map.groupBy(run.trials, ({ file }) => file)].map(([file, trials]) =>
    suite(file, trials.map(write), { file, ...tally(trials) }, run),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${xmlAttributes({ name: 'shakedown', ...tallyOfRun(run) })}>`,
    ...suites,
    ...suiteOfRun(run),
    '</testsuites>',
    '',
  ].join('\n');
}

type Tally = ReturnType<typeof tally>;

function tally(trials: readonly TrialVerdict[]) {
  const kinds = trials.map((trial) => trialOutcome(trial).junit);
  const count = (wanted: string): number => kinds.filter((kind) => kind === wanted).length;
  return {
    tests: trials.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: seconds(trials.reduce((sum, { durationMs }) => sum + durationMs, 0)),
  };
}

/** The root has no attribute for the number of skips. */
function tallyOfRun(run: RunVerdict): Omit<Tally, 'skipped'> {
  const { skipped: _skipped, ...sums } = tally(run.trials);
  const extra = reasonsOfRun(run).length;
  return { ...sums, tests: sums.tests + extra, errors: sums.errors + extra, time: seconds(run.durationMs) };
}

function suite(
  name: string,
  cases: readonly string[],
  attributes: Readonly<Record<string, string | number>>,
  { run, seed, revision }: RunVerdict,
): string {
  const properties = { run, seed, ...(revision === null ? {} : { revision }) };
  return [
    `  <testsuite${xmlAttributes({ name, ...attributes })}>`,
    '    <properties>',
    ...Object.entries(properties).map(
      ([property, value]) => `      <property${xmlAttributes({ name: property, value })}/>`,
    ),
    '    </properties>',
    ...cases,
    '  </testsuite>',
  ].join('\n');
}

function caseWriter(stories: Stories): (trial: TrialVerdict) => string {
  let room = allStoriesChars;
  return (trial) => {
    const { junit, type, message } = trialOutcome(trial);
    const attributes = xmlAttributes({
      name: trial.id,
      classname: trial.file,
      time: seconds(trial.durationMs),
    });
    if (junit === undefined) return `    <testcase${attributes}/>`;
    const story = (stories.get(trial.id) ?? formatTrial(trial, [], { verbose: true })).join('\n');
    const text = junit === 'skipped' ? '' : story.slice(0, Math.min(storyChars, room));
    room -= text.length;
    return testCase(attributes, junit, { message, type }, text);
  };
}

function testCase(
  attributes: string,
  element: string,
  about: { readonly message: string; readonly type: string },
  text: string,
): string {
  return [
    `    <testcase${attributes}>`,
    `      <${element}${xmlAttributes(about)}>${xmlText(text)}</${element}>`,
    '    </testcase>',
  ].join('\n');
}

/** Reasons against the whole run that belong to no trial, so that an empty report is not a green one. */
function suiteOfRun(run: RunVerdict): readonly string[] {
  const reasons = reasonsOfRun(run);
  if (reasons.length === 0) return [];
  const cases = reasons.map(({ exitCode, text }, index) => {
    const name = `run ${index + 1}: exit code ${exitCode}`;
    const attributes = xmlAttributes({ name, classname: 'shakedown', time: seconds(0) });
    return testCase(attributes, 'error', { message: text, type: 'run' }, text);
  });
  const sums = { tests: reasons.length, failures: 0, errors: reasons.length, skipped: 0, time: seconds(0) };
  return [suite('shakedown', cases, sums, run)];
}

function reasonsOfRun({ reasons }: RunVerdict): RunVerdict['reasons'] {
  return reasons.filter(({ trial }) => trial === undefined);
}

function seconds(ms: number): string {
  return (Number.isFinite(ms) ? Math.max(0, ms) / 1_000 : 0).toFixed(3);
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Texts inside XML: escaped, and without the characters that XML 1.0 forbids even when they are escaped. */
function xmlText(text: string): string {
  return printable(text)
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll(/[&<>"]/g, (found) => entities[found] as string);
}

/** A parser turns line ends in attributes into spaces, so they are written as character references. */
function xmlAttributes(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => {
      const text = xmlText(String(value)).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
      return ` ${name}="${text}"`;
    })
    .join('');
}
