/** The text of a project without its trials: a word that stands in the code of a system can be said by it. */
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { absentOn } from '../../kernel/system-error.ts';

const skipped = /^(?:\..+|node_modules|shakedown|dist|build|target|vendor|venv|env|__pycache__|coverage)$/;
/** Trials, documents and what was printed may hold the very word that is misspelt. */
const words =
  /\.(?:trial\.ya?ml|flow\.[mc]?[jt]s|md|txt|csv|tsv|out|err|ndjson|lock|log|png|jpe?g|gif|pdf|zip|gz|wasm|so|woff2?)$|-lock\.json$/;
/** What people write in; anything else that is newer than the run may be a report on it. */
const code =
  /\.(?:[mc]?[jt]sx?|py|rb|php|go|rs|java|kts?|scala|clj|exs?|erl|hs|cs|fs|c|cc|cpp|h|hpp|swift|dart|lua|pl|r|sql|proto|sh|bash)$/i;
const mostFiles = 2_000;
const mostBytes = 8 * 1024 * 1024;
const mostOfOne = 256 * 1024;

/** `begunAt`: when the run began, in milliseconds; not given where the files may have been copied since. */
export async function readSources(folder: string, begunAt?: number): Promise<string> {
  const texts: string[] = [];
  const waiting = [folder];
  let bytes = 0;
  let files = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      const file = path.join(next, entry.name);
      if (entry.isDirectory() && !skipped.test(entry.name)) waiting.push(file);
      if (!entry.isFile() || words.test(entry.name) || files >= mostFiles || bytes >= mostBytes) continue;
      files += 1;
      const text = await textOf(file, begunAt);
      bytes += text.length;
      texts.push(text);
    }
  }
  return texts.join('\n');
}

/** Empty for a file that is too long, not a text, a report on the run, not ours to read, or gone by now. */
async function textOf(file: string, begunAt = Number.POSITIVE_INFINITY): Promise<string> {
  const found = await stat(file).catch(unreadable);
  if (!found || found.size > mostOfOne || (found.mtimeMs > begunAt && !code.test(file))) return '';
  const text = (await readFile(file, 'utf8').catch(unreadable)) ?? '';
  return text.includes('\0') || (file.endsWith('.json') && isReport(text)) ? '' : text;
}

/** One that we have printed, with `--json` or in a run folder, whenever that was. */
function isReport(text: string): boolean {
  return /"(?:vitality|verdict|reportFormat)"\s*:/.test(text) && /"(?:trials|checks|results)"\s*:/.test(text);
}

const unreadable = absentOn('EACCES', 'EPERM', 'ENOENT');
