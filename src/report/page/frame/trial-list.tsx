/** All trials of the run, the bad ones first, to be searched and filtered. */
import { useMemo, useState } from 'preact/hooks';
import { judgedBadly, type TrialVerdict, type Verdict } from '../../../checks/verdict.ts';
import { formatDuration } from '../../../kernel/duration.ts';
import { writePlace } from '../place.ts';
import { VirtualRows } from '../virtual-rows.tsx';
import { VerdictSign } from './verdict-sign.tsx';

interface ListProps {
  readonly trials: readonly TrialVerdict[];
  readonly current: string | undefined;
  readonly onGo: () => void;
}

const order: readonly Verdict[] = ['failed', 'unstable', 'unknown', 'expected-failure', 'passed', 'skipped'];
const rowHeight = 44;

export function inOrder(trials: readonly TrialVerdict[]): readonly TrialVerdict[] {
  return trials.toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
}

export function TrialList({ trials, current, onGo }: ListProps) {
  const [text, setText] = useState('');
  const [only, setOnly] = useState<Verdict>();
  const sorted = useMemo(() => inOrder(trials), [trials]);
  const shown = useMemo(
    () => sorted.filter((trial) => (only === undefined || trial.verdict === only) && isFound(trial, text)),
    [sorted, text, only],
  );
  const there = order.filter((verdict) => trials.some((trial) => trial.verdict === verdict));
  return (
    <nav class="trials" aria-label="Trials">
      <div class="find">
        <input
          type="search"
          id="find-trial"
          value={text}
          placeholder="Find a trial, a check, a service  /"
          aria-label="Find a trial, a check or a service"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <div class="filters">
          {there.map((verdict) => (
            <button
              key={verdict}
              type="button"
              class={`chip ${verdict}`}
              aria-pressed={verdict === only}
              onClick={() => setOnly(verdict === only ? undefined : verdict)}
            >
              {verdict === 'expected-failure' ? 'expected' : verdict}{' '}
              <span class="count">{trials.filter((trial) => trial.verdict === verdict).length}</span>
            </button>
          ))}
        </div>
      </div>
      {shown.length === 0 && <p class="empty">No trial has this.</p>}
      <VirtualRows
        count={shown.length}
        rowHeight={rowHeight}
        label="Trials"
        focus={shown.findIndex(({ id }) => id === current)}
        row={(index) => {
          const trial = shown[index];
          return trial ? <TrialLink trial={trial} isCurrent={trial.id === current} onGo={onGo} /> : null;
        }}
      />
    </nav>
  );
}

function TrialLink({
  trial,
  isCurrent,
  onGo,
}: {
  readonly trial: TrialVerdict;
  readonly isCurrent: boolean;
  readonly onGo: () => void;
}) {
  const { id, verdict, cause, durationMs, skipReason, title, file } = trial;
  const below = judgedBadly(verdict) ? cause?.text : (skipReason ?? title);
  return (
    <a
      class="trial-link"
      href={writePlace({ trial: id })}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onGo}
    >
      <VerdictSign verdict={verdict} />
      <span class="name">{id}</span>
      <span class="took">{verdict === 'skipped' ? '' : formatDuration(durationMs)}</span>
      <span class="below">{below ?? file}</span>
    </a>
  );
}

function isFound(trial: TrialVerdict, text: string): boolean {
  if (text === '') return true;
  const { id, title = '', tags, cause, checks, blame, covers } = trial;
  const all = [
    id,
    title,
    ...tags,
    ...(covers ?? []),
    cause?.text ?? '',
    blame?.party ?? '',
    blame?.suspect ?? '',
    ...checks.map((check) => check.id),
  ];
  return all.join('\n').toLowerCase().includes(text.toLowerCase());
}
