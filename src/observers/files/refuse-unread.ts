/** A file whose content cannot be read must not look like one whose content is another. */
import { isPlainMap } from '../../patterns/plain-value.ts';
import { CannotSee } from '../observer.ts';
import { spokenKeys, withoutKeys } from '../spoken-keys.ts';
import type { FileForm } from './file-forms.ts';

type Keep = <T>(where: unknown, among: readonly T[]) => Promise<readonly T[]>;

/** Only where the condition reads the content, and everything else in it holds. Who speaks of `broken` knows what to expect. */
export async function refuseUnread(
  form: FileForm,
  where: unknown,
  views: ReadonlyArray<Readonly<Record<string, unknown>>>,
  keep: Keep,
): Promise<void> {
  const spoken = spokenKeys(where);
  if (!isPlainMap(where) || !spoken.includes(form) || spoken.includes('broken')) return;
  const broken = views.filter((view) => view.broken !== undefined);
  const [unread] = await keep(withoutKeys(where, [form]), broken);
  if (unread === undefined) return;
  throw new CannotSee(`${unread.path} cannot be read as ${form}: ${unread.broken}`, 'later');
}
