/** Whether an allowance lets every error pass, or every one of a level: tested on typical error lines of programs. Pure. */
import { isUsualError, theUsualErrors } from '../../../observers/logs/usual-errors.ts';

const payloads = ['qx7 vwk 41', 'Zebra_93: {"w":5}', 'at line 8812, ünïcode'];

/** Error lines of many kinds of programs, each with several words that no one would allow. */
const forms: readonly ((payload: string) => string)[] = [
  ...['ERROR', 'FATAL', 'CRITICAL', 'PANIC', 'WARN', 'WARNING'].flatMap((level) => [
    (payload: string) => `${level} ${payload}`,
    (payload: string) => `2031-05-17T09:41:07Z ${level} ${payload}`,
    (payload: string) => `{"level":"${level}","msg":${JSON.stringify(payload)}}`,
    (payload: string) => `{"level":"${level.toLowerCase()}","msg":${JSON.stringify(payload)}}`,
    (payload: string) => `level=${level.toLowerCase()} msg=${payload}`,
    (payload: string) => `[${level.toLowerCase()}] ${payload}`,
  ]),
  (payload) => `{"level":50,"msg":${JSON.stringify(payload)}}`,
  (payload) => `Traceback (most recent call last): ${payload}`,
  (payload) => `panic: ${payload}`,
  (payload) => `Uncaught ${payload}`,
  (payload) => `UnhandledPromiseRejection ${payload}`,
];

/**
 * `ERROR` lets all lines of that form pass, whatever they say: the errors of a program that prints no other form. False
 * if the gate catches none of the lines, so that nothing can be decided.
 */
export function silencesAll(gate: string | undefined, allowance: string): boolean {
  const own = expressionOf(gate ?? '\\b(?:ERROR|FATAL|CRITICAL|PANIC)\\b|^Traceback|^panic:');
  const isCaught = gate === theUsualErrors ? isUsualError : (line: string) => own?.test(line) === true;
  const allows = expressionOf(allowance);
  return forms.some((form) => {
    const lines = payloads.map(form);
    return allows !== undefined && lines.every((line) => isCaught(line) && allows.test(line));
  });
}

/** Undefined if it cannot be compiled. */
export function expressionOf(written: string): RegExp | undefined {
  try {
    return new RegExp(written);
  } catch {
    return undefined; // its references are filled in when the trial is performed
  }
}
