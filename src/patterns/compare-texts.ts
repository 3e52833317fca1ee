/** The order of two texts by their characters, where it is certain that what they mean has the same order. */

/** A digit of any script, a sign, or one of the words for a number without digits. */
export const mayBeNumber = /\p{N}|^\s*[+\p{Pd}−]|^(?:nan|inf(?:inity)?)$/iu;

/** Undefined where the order depends on what is meant: `$5,000` and `$6`, `1.10.0` and `1.9.0`, `31.12.2025` and `01.01.2026`. */
export function compareTexts(a: string, b: string): number | undefined {
  const texts = [a, b];
  const isCertain =
    a === b ||
    !texts.some((text) => mayBeNumber.test(text)) ||
    (shapeOf(a) === shapeOf(b) && !isOddlyRead(a) && !isOddlyRead(b) && !mayEndInYear(a, b)) ||
    (separatorsOf(a) === separatorsOf(b) && texts.every(isId));
  return isCertain ? (a < b ? -1 : a > b ? 1 : 0) : undefined;
}

/** Texts of one shape differ in their digits only. */
function shapeOf(text: string): string {
  return text.replaceAll(/\d/g, '0');
}

const oddlyRead: readonly RegExp[] = [
  // Below zero: `-5`, `$-5`, `− 5`, `5.00-`, `($5)`.
  /^\s*[+\p{Pd}−]|(?<![\p{L}\p{N}_])[+\p{Pd}−][^\p{L}\p{N}]{0,5}\p{N}|\p{N}[\p{Pd}−]\s*$|^\P{N}*\(/u,
  // The zone of a time.
  /\d\+\d|:\d\d(?:[.,]\d+)?[-−]\d/,
  // Powers and fractions: `9e5`, `1e-5`, `1/2`.
  /(?<![a-z\d.,])\d[\d.,]*e[+-]?\d+(?![a-z\d])|(?<![\d/])\d+\/\d+(?![\d/])/i,
  // Counted backwards, or from noon.
  /\b(?:ago|bce?|minus)\b|\d ?[ap]\.?m\b/i,
];

function isOddlyRead(text: string): boolean {
  return oddlyRead.some((form) => form.test(text));
}

/** `01/02/2027`, `Dec 1 2026`, `31.12.25`. */
const dayBeforeYear =
  /(?<!\d)\d\d?(?!\d)\D+[12]\d{3}(?!\d)|(?<![\w.])(?:\d\d\.\d\d\.|\d\d?([/-])\d\d?\1)\d\d(?![\w.])/;

/** Two that may be dates which begin with the day or the month, and differ in more than one of their numbers. */
function mayEndInYear(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => text.match(/\d+/g) ?? []);
  const differing = left?.filter((digits, index) => digits !== right?.[index]).length ?? 0;
  return differing > 1 && (dayBeforeYear.test(a) || dayBeforeYear.test(b));
}

/** A long one with letters and digits mixed, such as a ULID or a UUID; no date, span or amount with its unit. */
function isId(text: string): boolean {
  return /^(?!-\d)[\w-]{16,}$/.test(text) && !noIds.some((form) => form.test(text));
}

const noIds: readonly RegExp[] = [
  /^\d[\d_]*[a-z]*$/i,
  /^P(?:\d+[YMWD])*(?:T(?:\d+[HMS])*)?$/i,
  /(?<![a-z\d])(?:\d\d?|[a-z]{3,})[-_]\d\d?[-_]\d{4}(?!\d)/i,
  /(?<![a-z\d])\d\d?[-_]?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[-_]?\d{4}(?!\d)/i,
];

function separatorsOf(text: string): string {
  return text.replaceAll(/[^_-]/g, 'x');
}
