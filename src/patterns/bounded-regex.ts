/** Regular expressions that cannot hang: on a bounded text, and within a bounded time where they could be slow. */
import { type Context, createContext, Script } from 'node:vm';
import { patternLimits } from './pattern-limits.ts';

export interface RegexTester {
  /** Whether the expression is found in the text; undefined when it took too long or the text is too large. */
  test(source: string, flags: string, text: string): boolean | undefined;
}

/** Steps that an expression may need at worst and still run without a watch. */
const quickSteps = 10_000_000;

/** Keeps compiled expressions, so that one tester per match is cheap on long lists. */
export function createRegexTester(): RegexTester {
  const compiled = new Map<string, RegExp>();
  let watched: ((regex: RegExp, text: string) => boolean | undefined) | undefined;
  return {
    test: (source, flags, text) => {
      if (text.length > patternLimits.regexTextChars) return undefined;
      const key = `${flags}/${source}`;
      const regex = compiled.get(key) ?? new RegExp(source, flags);
      compiled.set(key, regex);
      if (isSurelyQuick(source, text.length)) return regex.test(text);
      watched ??= createWatchedTest();
      return watched(regex, text);
    },
  };
}

/** True when even the worst case is small: no repeated group, no back reference, few repetitions for the length. */
function isSurelyQuick(source: string, textLength: number): boolean {
  if (/\)[*+{]/.test(source) || /\\[1-9k]/.test(source)) return false;
  const repetitions = source.match(/[*+{?]/g)?.length ?? 0;
  return (textLength + 1) ** (repetitions + 1) <= quickSteps;
}

/** A script with a time-out is the one way to interrupt an expression that is backtracking. */
function createWatchedTest(): (regex: RegExp, text: string) => boolean | undefined {
  const scope: { regex?: RegExp; text?: string } = {};
  const context: Context = createContext(scope);
  const script = new Script('regex.test(text)');
  return (regex, text) => {
    scope.regex = regex;
    scope.text = text;
    try {
      return script.runInContext(context, { timeout: patternLimits.regexMs }) === true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
      throw error;
    }
  };
}
