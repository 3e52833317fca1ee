/** Regular expressions that cannot hang: on a bounded text, and within a bounded time where they could be slow. */
import { type Context, createContext, Script } from 'node:vm';
import { patternLimits } from './pattern-limits.ts';

export interface RegexTester {
  /** Whether the expression is found in the text; undefined when it took too long or the text is too large. */
  test(source: string, flags: string, text: string): boolean | undefined;
  /** The same for many texts under one time-out, which takes longer to set up than to test an ordinary line. */
  testAll(source: string, flags: string, texts: readonly string[]): readonly boolean[] | undefined;
}

/** Worst-case steps up to which an expression runs without a time-out. */
const quickSteps = 10_000_000;

/** Keeps compiled expressions, so that one tester per match is cheap on long lists. */
export function createRegexTester(): RegexTester {
  const compiled = new Map<string, RegExp>();
  let watched: WatchedTest | undefined;
  const testAll: RegexTester['testAll'] = (source, flags, texts) => {
    const longest = texts.reduce((most, { length }) => Math.max(most, length), 0);
    if (longest > patternLimits.regexTextChars) return undefined;
    const key = `${flags}/${source}`;
    const regex = compiled.get(key) ?? new RegExp(source, flags);
    compiled.set(key, regex);
    if (isSurelyQuick(source, longest)) return texts.map((text) => regex.test(text));
    watched ??= createWatchedTest();
    return watched(regex, texts);
  };
  return { testAll, test: (source, flags, text) => testAll(source, flags, [text])?.[0] };
}

/** True if even the worst case is small: no repeated group, no back reference, few repetitions for the length. */
function isSurelyQuick(source: string, textLength: number): boolean {
  if (/\)[*+{]/.test(source) || /\\[1-9k]/.test(source)) return false;
  const repetitions = source.match(/[*+{?]/g)?.length ?? 0;
  return (textLength + 1) ** (repetitions + 1) <= quickSteps;
}

/** Undefined when it took too long. */
type WatchedTest = (regex: RegExp, texts: readonly string[]) => readonly boolean[] | undefined;

/** A script with a time-out is the only way to interrupt a backtracking expression. */
function createWatchedTest(): WatchedTest {
  const scope: { regex?: RegExp; texts?: readonly string[] } = {};
  const context: Context = createContext(scope);
  const script = new Script('texts.map((text) => regex.test(text))');
  return (regex, texts) => {
    scope.regex = regex;
    scope.texts = texts;
    try {
      return script.runInContext(context, { timeout: patternLimits.regexMs }) as readonly boolean[];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
      throw error;
    }
  };
}
