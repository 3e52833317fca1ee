/** A statement without the passwords in it: of each, only that there is one. Pure. */
import { cutMark } from '../../kernel/cut-mark.ts';
import { sqlTokens } from './sql-tokens.ts';

const hidden = `'${cutMark}'`;

export function withoutPasswords(statement: string): string {
  if (!/password/i.test(statement)) return statement;
  const isCut = statement.endsWith(cutMark);
  const kept = isCut ? statement.slice(0, -cutMark.length) : statement;
  const clean = kept.replace(password, `$1${hidden}`);
  return `${perhapsLeft.test(clean) ? withoutLeft(clean) : clean}${isCut ? cutMark : ''}`;
}

/** A backslash may escape or not: the longer one is hidden. A literal goes on in the next line. */
const literal = String.raw`'[^'\\]*(?:(?:''|\\[\s\S]?)[^'\\]*)*(?:'|$)`;
const gap = String.raw`(?:\s|--[^\n\r]*(?:[\n\r]|$)|/\*(?:[^*]|\*(?!/))*(?:\*/|$))+`;
const password = new RegExp(
  String.raw`(\bpassword${gap})(?:(?:e|u&)?${literal}(?:\s*[\n\r]\s*${literal})*|\$(\w*)\$[\s\S]*?(?:\$\2\$|$))`,
  'gi',
);
const perhapsLeft = /\bpassword(?:'|\s*=\s*(?:''|[^\s'"$]))/i;
/** In a literal, `host=db password=…`. */
const inConnection = /(\bpassword\s*=\s*)(?:''[^']*(?:''|$)|[^\s'"$]+)/gi;

/** Only the tokens show whether a quote begins a literal or ends it, and whether something is in one. */
function withoutLeft(statement: string): string {
  let shown = '';
  let before = '';
  /** A doubled quote ends one token and begins the next. */
  let quoted = '';
  const show = (piece: string): void => {
    const isPassword = before === 'password' && quoted.startsWith("'");
    shown += (isPassword ? hidden : quoted.replace(inConnection, `$1${cutMark}`)) + piece;
    quoted = '';
  };
  for (const { kind, from, to } of sqlTokens(statement)) {
    const piece = statement.slice(from, to);
    if (kind === 'quoted' && /^e?'/i.test(piece)) quoted += piece;
    else {
      show(piece);
      before = kind === 'word' ? piece.toLowerCase() : '';
    }
  }
  show('');
  return shown;
}
