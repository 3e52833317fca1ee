/** Why a parser refused a text, and where, with nothing of the text itself: in a part of a secret nobody would know it again. */

interface ParserError {
  readonly message: string;
  readonly line: number;
  readonly column: number;
  /** As YAML has it. */
  readonly linePos: readonly { readonly line: number; readonly col: number }[];
}

/** Of an error of a parser of YAML, TOML or XML; those of JSON are ours, and quote nothing. */
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

/** The same error without the ten characters before and after the fault, which the engine shows in place of a position. */
export function jsonFault(text: string, error: unknown): unknown {
  if (!(error instanceof SyntaxError) || !error.message.endsWith('is not valid JSON')) return error;
  const at = faultAt(text);
  const before = text.slice(0, at).split('\n');
  const column = (before.at(-1) as string).length + 1;
  return new SyntaxError(
    `Unexpected token in JSON at position ${at} (line ${before.length} column ${column})`,
  );
}

/** The first character that begins no token, or a token where a value must be. Strings are whole: else the engine had told where. */
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
