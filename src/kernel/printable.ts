/** Makes untrusted text safe to print: nothing in it controls a terminal or changes the text direction. */

/** Terminal control sequences, which are dropped: colours, links and the like. */
export const steeringSequence =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]+[0-~]|[@-Z\\-_])/g;
const colours = /\u001b\[[0-9;:]*m/g;
// Newlines and tabs are kept: they only affect layout.
const steering =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;

/** Drops colours; escapes every other control character as JSON does, so that JSON keeps its meaning. */
export function printable(text: string): string {
  return text
    .replaceAll(colours, '')
    .replaceAll('\r\n', '\n')
    .replaceAll(steering, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
