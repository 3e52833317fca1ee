/** Names that other tools use for our keys: suggested in the error for an unknown key, not supported as aliases. */
import { nearest } from './nearest.ts';

const otherWords: Readonly<Record<string, readonly string[]>> = {
  timeout: ['within'],
  within: ['timeout'],
  eventually: ['within'],
  waitFor: ['until', 'within'],
  mocks: ['peers', 'standing'],
  stubs: ['peers', 'standing'],
  thirdParties: ['peers'],
  defaults: ['standing'],
  always: ['standing'],
  tool_calls: ['calls'],
  tools: ['calls'],
  text: ['says'],
  content: ['says'],
  route: ['on'],
  request: ['on', 'when'],
  match: ['when', 'where'],
  matches: ['expect'],
  assert: ['expect', 'checks'],
  assertions: ['checks'],
  twin: ['provenBy'],
  response: ['answer'],
  reply: ['answer'],
  delay: ['after'],
  repeat: ['times'],
  scenarios: ['cases'],
};

/** The key that was meant: a synonym, or the nearest spelling. */
export function meantKey(word: string, allowed: readonly string[]): string | undefined {
  const same = (Object.hasOwn(otherWords, word) ? otherWords[word] : undefined)?.find((key) =>
    allowed.includes(key),
  );
  return same ?? nearest(word, allowed);
}
