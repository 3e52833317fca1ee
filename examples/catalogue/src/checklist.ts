/** The rules of a checklist: every line is a checkbox, and no entry may be removed. */
import { hasDefect } from './defects.ts';

export interface ChecklistFault {
  readonly error: 'bad_checkbox' | 'entry_deleted';
  /** The line, or the entry that is missing. */
  readonly line: string;
}

export function checklistFault(text: string, before: string | undefined): ChecklistFault | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const bad = lines.find((line) => !/^- \[[ x]\] \S/.test(line));
  if (bad !== undefined) return { error: 'bad_checkbox', line: bad };
  const entries = new Set(lines.map(entryOf));
  const lost = (before ?? '')
    .split('\n')
    .filter(Boolean)
    .map(entryOf)
    .find((entry) => !entries.has(entry));
  return lost === undefined || hasDefect('entries-forgotten')
    ? undefined
    : { error: 'entry_deleted', line: lost };
}

function entryOf(line: string): string {
  return line.slice('- [ ] '.length).trim();
}
