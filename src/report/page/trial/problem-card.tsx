/** What broke: the failing checks with the difference, who is to blame, and the command that shows it again. */
import { useState } from 'preact/hooks';
import { type CheckVerdict, judgedBadly, type TrialVerdict } from '../../../checks/verdict.ts';
import { Difference } from '../evidence/difference.tsx';
import { Text } from '../evidence/text.tsx';
import { CopyCommand } from '../frame/copy-command.tsx';
import { badChecks } from './failure.ts';

interface ProblemProps {
  readonly trial: TrialVerdict;
  readonly check: CheckVerdict | undefined;
  readonly onCheck: (id: string) => void;
  readonly onEvent: (seq: number) => void;
}

export function ProblemCard({ trial, check, onCheck, onEvent }: ProblemProps) {
  const checks = badChecks(trial);
  return (
    <div class={`problem ${trial.verdict}`}>
      <section class="what-broke" aria-label="What broke">
        {checks.length > 1 && (
          <fieldset class="tabs small" aria-label="Checks that did not hold">
            {checks.map(({ id, verdict }) => (
              <button
                key={id}
                type="button"
                class={verdict}
                aria-pressed={id === check?.id}
                onClick={() => onCheck(id)}
              >
                {verdict === 'unknown' ? '?' : '✗'} {id}
              </button>
            ))}
          </fieldset>
        )}
        {check ? <FailingCheck check={check} file={trial.file} onEvent={onEvent} /> : <Cause trial={trial} />}
      </section>
      <section class="who" aria-label="Who is to blame">
        {judgedBadly(trial.verdict) && <BlameCard trial={trial} onEvent={onEvent} />}
        <h4>{trial.verdict === 'skipped' ? 'Run it' : 'See it again'}</h4>
        <CopyCommand command={trial.repro} />
      </section>
    </div>
  );
}

function Cause({ trial }: { readonly trial: TrialVerdict }) {
  const text = trial.cause?.text ?? trial.skipReason ?? trial.faults[0]?.text;
  return <p class="cause">{text === undefined ? 'Nothing says why.' : <Text text={text} />}</p>;
}

function FailingCheck({
  check,
  file,
  onEvent,
}: {
  check: CheckVerdict;
  file: string;
  onEvent: (seq: number) => void;
}) {
  const { id, title, line, expected, observed, explanation, mismatches = [], evidence, verdict } = check;
  const [isLong, setLong] = useState(false);
  const [first] = mismatches;
  const isPlace = first !== undefined && first.path !== '$';
  return (
    <>
      <h3>
        <span class={`sign ${verdict}`}>{verdict === 'unknown' ? '?' : '✗'}</span> {id}
        {title === undefined ? null : <span class="dim"> {title}</span>}
        <span class="dim place">
          {' '}
          {file}:{line}
        </span>
      </h3>
      {isPlace ? (
        mismatches.slice(0, 4).map((one) => (
          <div key={one.path} class="mismatch">
            <code>{one.path}</code>
            <Difference expected={one.expected} observed={one.observed} />
          </div>
        ))
      ) : (
        <Difference expected={expected} observed={observed} />
      )}
      <p class="links">
        {evidence.slice(-3).map((seq) => (
          <button key={seq} type="button" class="link" onClick={() => onEvent(seq)}>
            evidence: event {seq}
          </button>
        ))}
        {explanation !== undefined && (
          <button type="button" class="link" aria-expanded={isLong} onClick={() => setLong(!isLong)}>
            {isLong ? 'less' : 'in full'}
          </button>
        )}
      </p>
      {isLong && (
        <pre class="explanation" tabIndex={0}>
          <Text text={explanation ?? ''} />
        </pre>
      )}
    </>
  );
}

function BlameCard({
  trial,
  onEvent,
}: {
  readonly trial: TrialVerdict;
  readonly onEvent: (seq: number) => void;
}) {
  const { blame } = trial;
  if (!blame)
    return (
      <>
        <h4>Who is to blame</h4>
        <p class="dim">nobody is named</p>
      </>
    );
  const { party, suspect, edge, because, evidence } = blame;
  return (
    <>
      <h4>Who is to blame</h4>
      <p class="party">
        {party !== null && <b class="blamed">{party}</b>}
        {party === null && suspect !== undefined && <b class="suspect">{suspect}</b>}
        {party === null && (
          <span class="dim">{suspect === undefined ? 'not known' : ' suspected, not proven'}</span>
        )}
        {edge !== undefined && <span class="dim"> on {edge}</span>}
      </p>
      <p class="because">
        <Text text={because} />
      </p>
      <p class="links">
        {evidence.slice(0, 4).map((seq) => (
          <button key={seq} type="button" class="link" onClick={() => onEvent(seq)}>
            event {seq}
          </button>
        ))}
      </p>
    </>
  );
}
