/** Refuses a job that runs again where its work is restored without it: in a store, or in volumes of containers. */
import { Problem } from '../../kernel/problem.ts';
import { resourceKind } from '../../kinds/resource-kinds.ts';
import { isContainer } from '../build/build-container.ts';
import type { ProgramDraft } from '../program-draft.ts';
import type { ConfigSource } from '../source/config-source.ts';
import type { KnownNames } from './known-names.ts';
import { referredResources } from './reference-problems.ts';

export function againProblems(draft: ProgramDraft, known: KnownNames, source: ConfigSource): Problem[] {
  if (draft.kind !== 'job' || draft.document.again === undefined) return [];
  const store = referredResources(draft, known).find((name) => {
    const kind = known.resources.get(name);
    return kind !== undefined && resourceKind({ kind }).isStore;
  });
  const restored = isContainer(draft.document) ? 'the volumes of its container are' : store && `${store} is`;
  if (restored === undefined) return [];
  return [
    new Problem({
      code: 'config.bad-value',
      where: source.keyPosition([...draft.path, 'again']),
      what: `${restored} restored with the work of the job in it, which would then be done twice`,
      allowed: '`again` for jobs whose work is in files, and that use no database or store',
      next: 'remove `again`, or move what it does with files into a job of its own',
    }),
  ];
}
