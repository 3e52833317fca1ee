/** A whole trial file, as written; steps and checks are validated one by one, by their kinds. */
import { z } from 'zod';
import { limits } from '../../kernel/limits.ts';
import {
  choice,
  closed,
  duration,
  listOf,
  name,
  text,
  variableName,
  whole,
} from '../../kinds/kind/values.ts';
import { modelLineDocument } from '../../system/document/model-line-document.ts';
import { peerLineDocument } from '../../system/document/peer-line-document.ts';
import { budgetDocument } from '../../system/document/resource-documents.ts';
import { logsDocument } from '../../system/document/system-document.ts';
import { checkDocument, checkKeys } from '../kinds/check-table.ts';
import { stepDocuments } from '../kinds/step-table.ts';
import { disturbDocument } from './disturb-document.ts';
import { suiteKeys } from './suite-keys.ts';

const idRule =
  'an id of lower-case letters, digits, -, _ and ., with / between its parts, such as `daemon/junk`';
const part = '[a-z0-9][a-z0-9._-]*';
export const trialId = z
  .string(idRule)
  .regex(new RegExp(`^${part}(?:/${part})*$`), idRule)
  .max(120, 'an id of at most 120 characters');

const caseNameRule = 'a name of letters, digits, -, _ and .';
export const caseName = z.string(caseNameRule).regex(/^[A-Za-z0-9][\w.-]*$/, caseNameRule);

const needRule = "docker, { env: 'NAME' }, { binary: 'name' }, { port: 8080 } or { platform: 'linux' }";
const need = z.union(
  [
    z.enum(['docker'], needRule),
    closed(
      {
        env: variableName.optional(),
        binary: text.optional(),
        port: whole(needRule, 1, 65_535).optional(),
        platform: z.enum(['linux', 'darwin'], 'linux or darwin').optional(),
      },
      'a need',
    ).refine((one) => Object.keys(one).length > 0, needRule),
  ],
  needRule,
);

/** At least one: a check that never has to hold checks nothing. */
const atLeastRule = 'a number of attempts from 1, or a share such as `80%`';
const atLeast = z.union(
  [whole(atLeastRule, 1), z.string(atLeastRule).regex(/^(?:100|[1-9]\d?)%$/, atLeastRule)],
  atLeastRule,
);
const attempts = whole('a whole number from 1 to 1000', 1, limits.attempts);

const shownRedRule = 'a revision in quotes, such as "4f2a1c9", or null while it has not been seen to fail';

/** Keys that flows have as well. */
export const trialOptions = {
  covers: listOf(text, 'a list of requirement ids', 'The requirements that it covers.'),
  protects: text.describe('The contract that it protects, in one sentence.').optional(),
  catches: text.describe('The failure that it would catch, in one sentence.').optional(),
  generated: z
    .literal(true, 'true, or nothing')
    .describe('A tool wrote it: it must say what it `protects` and what it `catches`.')
    .optional(),
  regression: closed({ shownRedOn: z.union([text, z.null()], shownRedRule) }, 'regression')
    .describe('It keeps a fault from coming back; the revision on which it was seen to fail, or null.')
    .optional(),
  ...suiteKeys,
  tags: z.array(text, 'a list of tags').optional(),
  priority: text.describe('For gates, such as `p0`.').optional(),
  needs: listOf(need, 'a list of needs', 'What the machine must have; skipped with the reason otherwise.'),
  isolation: choice(['fresh', 'restart', 'shared'], 'How much of the environment is recreated before it.'),
  groups: listOf(name, 'a list of names', 'Trials of one group are never performed at the same time.'),
  settle: duration.describe('How long every edge must be idle before it counts as over.').optional(),
  timeout: duration.describe('How long the whole attempt may take; `60s` when absent.').optional(),
  logs: closed({ allow: logsDocument.shape.allow }, 'logs')
    .describe('Error lines that are expected in this trial.')
    .optional(),
  expectedFailure: closed(
    { because: text, checks: z.array(text, 'a list of checks').optional() },
    'an expected failure',
  )
    .describe('It is known to fail; it fails when it passes.')
    .optional(),
  attempts: attempts
    .describe('The number of attempts; each check must hold in all, unless `atLeast` says less.')
    .optional(),
  atLeast: z.record(z.string(), atLeast, 'a map from checks to numbers').optional(),
  live: closed(
    {
      attempts: attempts.optional(),
      atLeast: z.record(z.string(), atLeast, 'a map from checks to numbers').optional(),
      budget: budgetDocument.optional(),
    },
    'live',
  )
    .describe('Read only when the model is a real one.')
    .optional(),
};

/** Lines are validated one by one, once the case is filled in. */
const scripts = (what: string) =>
  z.record(z.string(), linesOr(z.record(z.string(), z.unknown(), 'a line')), what);

const linesRule = 'a list of lines, or ${case.…} for the whole list';

/** A case may give the whole list. */
function linesOr<Line extends z.ZodType>(line: Line) {
  return z.union([z.array(line, linesRule), z.string().regex(/^\$\{case\.[^}]+\}$/, linesRule)], linesRule);
}

const cases = z
  .union(
    [
      closed({ from: name.describe('A roster: one case for each of its services.') }, 'cases'),
      z.record(
        caseName,
        z.record(z.string(), z.unknown(), 'a map of values'),
        'a map from names to maps of values',
      ),
    ],
    'a map from names to maps of values, or { from: roster }',
  )
  .describe('One trial each; `${case.…}` is its value.');

export const trialDocument = closed(
  {
    id: trialId.describe('Unique in the suite.'),
    title: text.describe('What must be true, in one sentence.').optional(),
    ...trialOptions,
    cases: cases.optional(),
    model: z
      .union(
        [text, scripts('a map from callers to lines')],
        'a map from callers to lines, or the file of a trial that has them',
      )
      .describe(
        'What the model says, by the service that calls it (`service -> model` where there are several).',
      )
      .optional(),
    peers: scripts('a map from third parties to lines')
      .describe('What third parties answer, by resource of the kind `http`.')
      .optional(),
    disturb: z
      .array(z.record(z.string(), z.unknown(), 'a disturbance'), 'a list of disturbances')
      .describe('What is done to edges while the trial is performed.')
      .optional(),
    ladder: z
      .array(z.record(z.string(), z.unknown(), 'a step with `rung`'), 'a list of steps with `rung`')
      .describe('The same small request at one place after the other; the first that fails is named.')
      .optional(),
    use: listOf(text, 'a list of files', 'Files of shared steps and checks, relative to this one.'),
    steps: z.array(z.record(z.string(), z.unknown(), 'a step'), 'a list of steps').optional(),
    checks: z
      .record(
        z.string().regex(/^[A-Za-z0-9][\w.-]*$/, 'an id of letters, digits, -, _ and .'),
        z.record(z.string(), z.unknown(), 'a check'),
        'a map from ids to checks',
      )
      .optional(),
  },
  'the trial',
);

/** A file of shared steps and checks. */
export const fragmentDocument = closed(
  {
    title: text.optional(),
    steps: trialDocument.shape.steps,
    checks: trialDocument.shape.checks,
  },
  'the fragment',
);

export type TrialDocument = z.input<typeof trialDocument>;
export type FragmentDocument = z.input<typeof fragmentDocument>;

/** For editors: the same, with the kinds of steps and checks written out. */
export function trialSchema(): z.ZodObject {
  const step = z.union(Object.values(stepDocuments()));
  return trialDocument.extend({
    steps: z.array(step).optional(),
    ladder: z.array(step).optional(),
    model: z.record(z.string(), linesOr(modelLineDocument)).optional(),
    peers: z.record(z.string(), linesOr(peerLineDocument)).optional(),
    disturb: z.array(disturbDocument).optional(),
    checks: z
      .record(z.string(), z.union(checkKeys().map((key) => checkDocument(key) as z.ZodObject)))
      .optional(),
  });
}
