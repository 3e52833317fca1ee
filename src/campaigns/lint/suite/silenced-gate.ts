/** Whether an allowance lets every error pass: tried on lines as programs write them. Pure. */
import { errorExpression } from '../../../trials/read/usual-errors.ts';

const payloads = ['qx7 vwk 41', 'Zebra_93: {"w":5}', 'at line 8812, ünïcode'];

/** Error lines of many kinds of programs, with words in them that nobody would allow. */
const samples: readonly string[] = payloads.flatMap((payload) => [
  ...['ERROR', 'FATAL', 'CRITICAL', 'PANIC', 'WARN', 'WARNING'].flatMap((level) => [
    `${level} ${payload}`,
    `2031-05-17T09:41:07Z ${level} ${payload}`,
    `{"level":"${level}","msg":${JSON.stringify(payload)}}`,
    `{"level":"${level.toLowerCase()}","msg":${JSON.stringify(payload)}}`,
    `level=${level.toLowerCase()} msg=${payload}`,
    `[${level.toLowerCase()}] ${payload}`,
  ]),
  `{"level":50,"msg":${JSON.stringify(payload)}}`,
  `Traceback (most recent call last): ${payload}`,
  `panic: ${payload}`,
  `Uncaught ${payload}`,
  `UnhandledPromiseRejection ${payload}`,
]);

/** False where the gate catches none of the lines, so that nothing can be said. */
export function silencesAll(gate: string | undefined, allowance: string): boolean {
  const catches = expressionOf(
    errorExpression(gate ?? '\\b(?:ERROR|FATAL|CRITICAL|PANIC)\\b|^Traceback|^panic:'),
  );
  const allows = expressionOf(allowance);
  if (!catches || !allows) return false;
  const caught = samples.filter((line) => catches.test(line));
  return caught.length > 0 && caught.every((line) => allows.test(line));
}

function expressionOf(written: string): RegExp | undefined {
  try {
    return new RegExp(written);
  } catch {
    return undefined; // a reference in it is filled in when the trial is performed
  }
}
