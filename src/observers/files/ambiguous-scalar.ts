/** Unquoted scalars that readers of YAML 1.1 and of YAML 1.2 take for different values. Pure. */
import { cutText } from '../../kernel/cut-text.ts';

/** Undefined where both read the same. A date is one for both, whether they keep it as a text or not. */
export function whyAmbiguous(written: string): string | undefined {
  const readings = readingsOf(written);
  if (!readings) return undefined;
  return `\`${cutText(written, 100)}\` without quotes is ${readings[0]} in YAML 1.1 and ${readings[1]} in YAML 1.2`;
}

const yes = /^(?:y|Y|yes|Yes|YES|on|On|ON)$/;
const no = /^(?:n|N|no|No|NO|off|Off|OFF)$/;
const sexagesimal = /^[-+]?(?:[1-9][\d_]*(?::[0-5]?\d)+|\d[\d_]*(?::[0-5]?\d)+\.[\d_]*)$/;
const octal = /^[-+]?0[0-7]+$/;
const leadingZero = /^[-+]?0\d+$/;
const newOctal = /^0o[0-7]+$/;
/** With a sign, in base 2 or with underscores, which YAML 1.2 does not have. */
const oldNumber =
  /^(?:[-+]0x[\da-fA-F_]+|0x(?=.*_)[\da-fA-F_]+|[-+]?0b[01_]+|[-+]?(?=.*_)(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]\d+)?)$/;

/** Under 1.1, then under 1.2. */
function readingsOf(written: string): readonly [string, string] | undefined {
  if (yes.test(written)) return ['true', 'a text'];
  if (no.test(written)) return ['false', 'a text'];
  if (sexagesimal.test(written)) return ['a number of base 60', 'a text'];
  if (octal.test(written)) {
    const [old, decimal] = [Number.parseInt(written, 8), Number.parseInt(written, 10)];
    return old === decimal ? undefined : [String(old), String(decimal)];
  }
  if (leadingZero.test(written)) return ['a text', String(Number.parseInt(written, 10))];
  if (newOctal.test(written)) return ['a text', String(Number(written))];
  if (oldNumber.test(written)) return ['a number', 'a text'];
  return written === '=' || written === '<<' ? ['a sign of its own', 'a text'] : undefined;
}
