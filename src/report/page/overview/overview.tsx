/** The run as a whole: its verdict, what failed, what took long, what it cost, what it covers, how it booted. */
import type { ComponentChildren } from 'preact';
import { judgedBadly, type RunVerdict, type TrialVerdict } from '../../../checks/verdict.ts';
import { formatDuration } from '../../../kernel/duration.ts';
import { formatUsd } from '../../terminal/format-cost.ts';
import type { ReportIndex } from '../embedded-report.ts';
import { Text } from '../evidence/text.tsx';
import { VerdictSign } from '../frame/verdict-sign.tsx';
import { writePlace } from '../place.ts';
import { Boots } from './boots.tsx';
import { RequirementGrid } from './requirement-grid.tsx';

interface OverviewProps {
  readonly index: ReportIndex;
  /** A trial that somebody asked for, and that this run does not have. */
  readonly missing: string | undefined;
}

export function Overview({ index, missing }: OverviewProps) {
  const { verdict, boots, requirements, flakes, notes, runs } = index;
  const { trials } = verdict;
  const bad = trials.filter((trial) => judgedBadly(trial.verdict) || trial.faults.length > 0);
  return (
    <main class="overview" tabIndex={0} aria-label="Overview">
      {missing !== undefined && (
        <p class="broken" role="alert">
          This report has no trial{' '}
          <b>
            <Text text={missing} />
          </b>
          .
        </p>
      )}
      <Headline verdict={verdict} />
      <Facts index={index} />
      <div class="cards">
        {bad.length > 0 && <Failures trials={bad} />}
        <Reasons verdict={verdict} />
        <Slowest trials={trials} />
        <Costs trials={trials} />
        {flakes.length > 0 && (
          <Card title="Not steady over the stored runs">
            <ul>
              {flakes.slice(0, 12).map(({ id, state, because }) => (
                <li key={id}>
                  <a href={writePlace({ trial: id })}>{id}</a> <span class="tag changed">{state}</span>{' '}
                  <span class="dim">{because}</span>
                </li>
              ))}
            </ul>
          </Card>
        )}
        {verdict.requirements.length > 0 && (
          <Card title="Requirements" isWide>
            <RequirementGrid verdicts={verdict.requirements} texts={requirements} />
          </Card>
        )}
        {boots.length > 0 && (
          <Card title="Boot" isWide>
            <Boots boots={boots} />
          </Card>
        )}
        <Skips trials={trials} />
        <Listed title="Left behind" lines={verdict.leaks} />
        <Listed title="Notes" lines={notes} />
      </div>
      <p class="dim foot">
        {verdict.tool} · {runs.map(({ folder }) => folder).join(', ')}
      </p>
    </main>
  );
}

function Headline({ verdict }: { readonly verdict: RunVerdict }) {
  const { counts, exitCode, durationMs } = verdict;
  const parts = (['failed', 'unstable', 'unknown', 'passed', 'expected-failure', 'skipped'] as const).filter(
    (name) => counts[name] > 0,
  );
  return (
    <header class="headline">
      <h1>
        <VerdictSign verdict={verdict.verdict} /> {verdict.verdict}
        <span class="dim">
          {' '}
          exit code {exitCode} · {counts.selected} {counts.selected === 1 ? 'trial' : 'trials'} in{' '}
          {formatDuration(durationMs)}
        </span>
      </h1>
      <div class="bar" role="img" aria-label={parts.map((name) => `${counts[name]} ${name}`).join(', ')}>
        {parts.map((name) => (
          <span key={name} class={name} style={{ flexGrow: counts[name] }} />
        ))}
      </div>
      <p class="counts">
        {parts.map((name) => (
          <span key={name} class={name}>
            <b>{counts[name]}</b> {name}
          </span>
        ))}
        <span class="dim">
          {counts.declared} declared, {counts.selected} selected, {counts.executed} executed
        </span>
      </p>
    </header>
  );
}

function Facts({ index }: { readonly index: ReportIndex }) {
  const { verdict, runs } = index;
  const [first] = runs;
  const variant = Object.entries(first?.variant ?? {}).map(([name, value]) => `${name}=${value}`);
  return (
    <p class="facts dim">
      {first?.system} · {runs.length > 1 ? `${runs.length} shards` : first?.run} ·{' '}
      {first?.startedAt.slice(0, 19).replace('T', ' ')} UTC · seed {verdict.seed}
      {verdict.revision === null ? '' : ` · ${verdict.revision.slice(0, 12)}`}
      {variant.length === 0 ? '' : ` · ${variant.join(', ')}`}
    </p>
  );
}

interface CardProps {
  readonly title: string;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

function Card({ title, isWide = false, children }: CardProps) {
  return (
    <section class={isWide ? 'card is-wide' : 'card'}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

const mostFailures = 30;

function Failures({ trials }: { readonly trials: readonly TrialVerdict[] }) {
  return (
    <Card title="What did not hold" isWide>
      <ul class="failures">
        {trials.slice(0, mostFailures).map((trial) => (
          <li key={trial.id}>
            <a href={writePlace({ trial: trial.id })}>
              <VerdictSign verdict={trial.verdict} /> {trial.id}
            </a>
            {blamedIn(trial)}
            <p>
              <Text text={trial.cause?.text ?? trial.faults[0]?.text ?? ''} />
            </p>
          </li>
        ))}
      </ul>
      {trials.length > mostFailures && (
        <p class="dim">and {trials.length - mostFailures} more, in the list of trials</p>
      )}
    </Card>
  );
}

function blamedIn({ blame }: TrialVerdict) {
  if (!blame) return null;
  if (blame.party !== null) return <span class="tag blame">{blame.party}</span>;
  return blame.suspect === undefined ? null : <span class="tag changed">{blame.suspect}?</span>;
}

function Reasons({ verdict }: { readonly verdict: RunVerdict }) {
  const others = verdict.reasons.filter(({ trial }) => trial === undefined);
  if (others.length === 0) return null;
  return (
    <Card title={`Reasons for exit code ${verdict.exitCode}`}>
      <ul>
        {others.slice(0, 20).map(({ exitCode, text }) => (
          <li key={text}>
            <span class="dim">{exitCode}</span> <Text text={text} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Slowest({ trials }: { readonly trials: readonly TrialVerdict[] }) {
  const slowest = trials.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, 8);
  const most = slowest[0]?.durationMs ?? 0;
  if (most === 0) return null;
  return (
    <Card title="Slowest">
      <ul class="bars">
        {slowest.map(({ id, durationMs }) => (
          <li key={id}>
            <a href={writePlace({ trial: id })}>{id}</a>
            <span class="length" style={{ width: `${Math.max(1, (durationMs / most) * 100)}%` }} />
            <span class="took">{formatDuration(durationMs)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Costs({ trials }: { readonly trials: readonly TrialVerdict[] }) {
  const costly = trials.filter(({ costUsd, tokens }) => costUsd > 0 || tokens.input + tokens.output > 0);
  if (costly.length === 0) return null;
  const sum = (part: (trial: TrialVerdict) => number): number =>
    costly.reduce((total, trial) => total + part(trial), 0);
  const paid = sum(({ paidUsd = 0 }) => paidUsd);
  return (
    <Card title="Cost of models">
      <p>
        <b>{formatUsd(sum(({ costUsd }) => costUsd))}</b>{' '}
        {paid > 0 ? `of which ${formatUsd(paid)} were paid` : 'as if live, nothing was paid'}
        <span class="dim">
          {' '}
          · {sum(({ tokens }) => tokens.input).toLocaleString('en')} +{' '}
          {sum(({ tokens }) => tokens.output).toLocaleString('en')} tokens
        </span>
      </p>
      <ul>
        {costly
          .toSorted((a, b) => b.costUsd - a.costUsd)
          .slice(0, 6)
          .map(({ id, costUsd }) => (
            <li key={id}>
              <a href={writePlace({ trial: id })}>{id}</a> <span class="took">{formatUsd(costUsd)}</span>
            </li>
          ))}
      </ul>
    </Card>
  );
}

function Skips({ trials }: { readonly trials: readonly TrialVerdict[] }) {
  const skipped = trials.filter(({ verdict }) => verdict === 'skipped');
  const groups = [
    ...Map.groupBy(skipped, ({ skipReason, cause }) => skipReason ?? cause?.text ?? 'no reason was given'),
  ];
  return (
    <Listed
      title="Skipped"
      lines={groups.map(([reason, group]) => `${reason}: ${group.map(({ id }) => id).join(', ')}`)}
    />
  );
}

function Listed({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <Card title={title}>
      <ul>
        {lines.slice(0, 40).map((line) => (
          <li key={line}>
            <Text text={line} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
