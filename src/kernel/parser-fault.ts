/** Why and where a parser rejected a text, without quoting the text: a fragment of a secret would not be redacted. */

interface ParserError {
  readonly message: string;
  readonly line: number;
  readonly column: number;
  /** As YAML has it. */
  readonly linePos: readonly { readonly line: number; readonly col: number }[];
}

/** For errors of the YAML, TOML and XML parsers; those for JSON are made here and quote nothing. */
export function parserFault(error: unknown): string {
  const { message = String(error), linePos, ...place } = error as Partial<ParserError>;
  if (error instanceof SyntaxError) return message;
  const { line = linePos?.[0]?.line, column = linePos?.[0]?.col } = place;
  const why = message
    .replace(/^Invalid TOML document: /, '')
    .replace(/(?: at line \d+, column \d+:)?\n.*$/s, '')
    .replace(/ '.*'|: .*$|(?<= escape sequence) .*$|\.$/gs, '');
  return line === undefined ? why : `${why} at line ${line}, column ${column}`;
}

/** The same error with a position in place of the ten characters around the fault that the engine quotes. */
export function jsonFault(text: string, error: unknown): unknown {
  if (!(error instanceof SyntaxError)) return error;
  const [, position] = / at position (\d+)/.exec(error.message) ?? [];
  if (!error.message.endsWith('is not valid JSON'))
    return Object.assign(error, { at: position && Number(position) });
  const at = faultAt(text);
  const before = text.slice(0, at).split('\n');
  const column = (before.at(-1) as string).length + 1;
  const place = `at position ${at} (line ${before.length} column ${column})`;
  return Object.assign(new SyntaxError(`Unexpected token in JSON ${place}`), { at });
}

/**
 * The first character that does not begin a token, or a token where a value is expected. For an unclosed string the
 * engine gives the position itself.
 */
function faultAt(text: string): number {
  const token = /([[{,:\]}])|"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null|[ \t\r\n]+/y;
  let before: string | undefined = '';
  for (;;) {
    const at = token.lastIndex;
    const [found, sign] = token.exec(text) ?? [];
    if (found === undefined) return at;
    const isValueNext = before !== undefined && '[,:'.includes(before);
    if (isValueNext && sign !== undefined && ',:]}'.includes(sign) && `${before}${sign}` !== '[]') return at;
    if (found === '"') token.lastIndex = endOfString(text, at);
    if (!/^\s/.test(found)) before = sign;
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length && text.charAt(at) !== '"'; at += 1) if (text.charAt(at) === '\\') at += 1;
  return at + 1;
}
