/** Whether an allowance lets every error pass: tested on typical error lines of programs. Pure. */
import { isUsualError, theUsualErrors } from '../../../observers/logs/usual-errors.ts';

const payloads = ['qx7 vwk 41', 'Zebra_93: {"w":5}', 'at line 8812, ünïcode'];

/** Error lines of many kinds of programs, with words that no one would allow. */
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

/** False if the gate catches none of the lines, so that nothing can be decided. */
export function silencesAll(gate: string | undefined, allowance: string): boolean {
  const own = expressionOf(gate ?? '\\b(?:ERROR|FATAL|CRITICAL|PANIC)\\b|^Traceback|^panic:');
  const isCaught = gate === theUsualErrors ? isUsualError : (line: string) => own?.test(line) === true;
  const caught = samples.filter(isCaught);
  const allows = expressionOf(allowance);
  return allows !== undefined && caught.length > 0 && caught.every((line) => allows.test(line));
}

/** Undefined if it cannot be compiled. */
export function expressionOf(written: string): RegExp | undefined {
  try {
    return new RegExp(written);
  } catch {
    return undefined; // its references are filled in when the trial is performed
  }
}
