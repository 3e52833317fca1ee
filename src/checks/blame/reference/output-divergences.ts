/** Rows, files, error lines and raw answers that differ from the passing run, and what the jobs had left. */
import { defined } from '../../../kernel/defined.ts';
import { printValue } from '../../../patterns/print-value.ts';
import type { Traffic } from '../traffic.ts';
import { compareValues, formatDifference } from './compare-values.ts';
import type { Divergence } from './divergence.ts';
import type { CompareContext } from './find-divergences.ts';
import { checkOutputName, logOutputName, sharesPlace } from './outputs-of.ts';
import type { ReferenceOutput } from './reference-digest.ts';

/** Only of failed checks: observations of others are not involved. */
export function outputDivergences(
  { reference, now }: CompareContext,
  failed: readonly string[],
  traffic: Traffic,
): readonly Divergence[] {
  return now.digest.outputs.flatMap((is, place) => {
    const seqs = now.outputs[place] ?? [];
    const was = reference.outputs.find(({ party, name }) => party === is.party && name === is.name);
    if (is.name === logOutputName) return lineDivergences(is, was, seqs);
    if (!isMeant(is, failed) || (was && was.asked !== is.asked)) return [];
    // Changes are grouped by service: no change of one then is an empty list.
    const before = was?.value ?? (isOfChanges(is, failed) ? [] : undefined);
    if (before === undefined) return [];
    const compared = compareValues(before, is.value);
    if (compared.likeness !== 'differs') return [];
    return [
      {
        party: sharesPlace(is.party, traffic) ? null : is.party,
        to: [],
        sure: true,
        sentAt: is.at,
        output: is.name,
        seqs,
        ...defined({ about: is.about, sentThen: was?.at }),
        text: `${is.name} shows ${formatDifference(compared, 'showed')}`,
      },
    ];
  });
}

function isMeant({ name }: ReferenceOutput, failed: readonly string[]): boolean {
  return name.startsWith('step ') || failed.some((id) => isOfCheck(name, id));
}

function isOfCheck(name: string, id: string): boolean {
  return name === checkOutputName(id) || name.startsWith(`${checkOutputName(id)} `);
}

function isOfChanges({ name, party }: ReferenceOutput, failed: readonly string[]): boolean {
  return failed.some((id) => name === `${checkOutputName(id)} ${party}`);
}

/** Lines that are new; a missing line does no harm. */
function lineDivergences(
  is: ReferenceOutput,
  was: ReferenceOutput | undefined,
  seqs: readonly number[],
): readonly Divergence[] {
  const before = Array.isArray(was?.value) ? was.value : [];
  const lines = Array.isArray(is.value) ? is.value : [];
  const place = lines.findIndex((line) =>
    before.every((known) => compareValues(known, line).likeness === 'differs'),
  );
  if (place < 0) return [];
  const text = `it logged an error that it did not log when the trial passed: ${printValue(lines[place], 120)}`;
  return [
    {
      party: is.party,
      to: [],
      sure: true,
      sentAt: is.at,
      output: is.name,
      seqs: seqs.slice(place, place + 1),
      text,
    },
  ];
}

/** What the jobs left in a resource is an input of every service that uses it. */
export function preparedDivergences(context: CompareContext, traffic: Traffic): readonly Divergence[] {
  const { reference, now } = context;
  const { edges = [], prepared = [] } = traffic.view.topology ?? {};
  const byJobs = edges.filter(({ from }) => traffic.kindOf(from) === 'job').map(({ to }) => to);
  const resources = new Set([...byJobs, ...prepared.map(({ resource }) => resource)]);
  return [...resources].flatMap((resource): readonly Divergence[] => {
    const [was, is] = [reference.prepared[resource], now.digest.prepared[resource]];
    if (was !== undefined && was === is) return [];
    const { by: jobs = [], said } = prepared.find((one) => one.resource === resource) ?? {};
    const [job] = jobs;
    const isKnown = was !== undefined && is !== undefined;
    return [
      {
        party: isKnown && jobs.length === 1 && job !== undefined ? job : null,
        to: [resource, ...edges.filter((edge) => edge.to === resource).map(({ from }) => from)],
        // The same may be left by what is said in another way.
        sure: isKnown && !said,
        sentAt: Number.NEGATIVE_INFINITY,
        mattersAt: Number.NEGATIVE_INFINITY,
        matteredThen: Number.NEGATIVE_INFINITY,
        seqs: [],
        text: isKnown
          ? `it ${said ? 'may have ' : ''}left ${resource} in a different state from the passing run`
          : `it is unknown whether the jobs left ${resource} in the same state as in the passing run`,
      },
    ];
  });
}
