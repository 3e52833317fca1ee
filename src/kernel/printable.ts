/** Texts of strangers made fit to be read: nothing in them steers a terminal or turns the direction of writing. */

/** What steers a terminal, and is not shown: colours, links, and the like. */
export const steeringSequence =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]+[0-~]|[@-Z\\-_])/g;
const colours = /\u001b\[[0-9;:]*m/g;
// Line ends and tabs are kept: they only lay out.
const steering =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;

/** Colours vanish; every other such character is written as JSON writes it, so that JSON stays the same JSON. */
export function printable(text: string): string {
  return text
    .replaceAll(colours, '')
    .replaceAll('\r\n', '\n')
    .replaceAll(steering, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
