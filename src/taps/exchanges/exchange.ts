/** One request and its response on a connection under rules. */
import type { RequestHead, ResponseHead } from '../../protocols/http/http-message.ts';
import type { EditedPart, Move, Part } from './exchange-edit.ts';
import type { NamedEdit } from './placed-rules.ts';

export type NamedMove = Move & { readonly rule: string };

/** A part, or a move with the rule that made it. */
export type Named<Head> = Part<Head> | NamedMove;

export class Exchange {
  readonly request: RequestHead;
  edits: readonly NamedEdit[] = [];
  /** The number of its call; 0 until its head has passed. */
  crossing = 0;
  /** The whole request has come. */
  isSent = false;
  /** The connection is to be ended in the middle of it, and the rest is dropped. */
  isCut = false;
  readonly #felt = new Set<string>();

  constructor(request: RequestHead) {
    this.request = request;
  }

  /** The provider does not get the request. */
  get answersItself(): boolean {
    return this.edits.some(({ instead }) => instead !== undefined);
  }

  get editsResponse(): boolean {
    return this.edits.some(({ response, instead }) => response !== undefined || instead !== undefined);
  }

  /** False when it was met before. */
  feels(rule: string): boolean {
    const isNew = !this.#felt.has(rule);
    this.#felt.add(rule);
    return isNew;
  }

  ask(part: Part<RequestHead>): readonly Named<RequestHead>[] {
    return this.edits.reduce<readonly Named<RequestHead>[]>(
      (edited, { request, rule }) =>
        request === undefined
          ? edited
          : edited.flatMap((one) => ('is' in one ? request(one).map((next) => named(next, rule)) : [one])),
      [part],
    );
  }

  answer(part: Part<ResponseHead>): readonly Named<ResponseHead>[] {
    return throughEdits(this.edits, [part]);
  }

  /** The answer that is given without the provider. */
  answerItself(): readonly Named<ResponseHead>[] {
    const at = this.edits.findIndex(({ instead }) => instead !== undefined);
    const { instead, rule } = this.edits[at] as NamedEdit;
    return throughEdits(
      this.edits.toSpliced(at, 1),
      (instead?.() ?? []).map((one) => named(one, rule)),
    );
  }

  /** The provider broke off: what the edits have kept back. */
  release(): readonly Named<ResponseHead>[] {
    return this.edits.flatMap(({ release, rule }, index) =>
      throughEdits(
        this.edits.slice(index + 1),
        (release?.() ?? []).map((one) => named(one, rule)),
      ),
    );
  }
}

function throughEdits(
  edits: readonly NamedEdit[],
  first: readonly Named<ResponseHead>[],
): readonly Named<ResponseHead>[] {
  return edits.reduce(
    (edited, edit) =>
      edit.response === undefined ? edited : edited.flatMap((one) => throughEdit(edit, one)),
    first,
  );
}

/** A long stop of the response first releases what the edits behind it have held. */
function throughEdit(
  { response, release, rule }: NamedEdit,
  one: Named<ResponseHead>,
): readonly Named<ResponseHead>[] {
  if ('is' in one) return (response?.(one) ?? [one]).map((next) => named(next, rule));
  if (one.do !== 'cut' && one.do !== 'hold') return [one];
  return [...(release?.() ?? []).map((next) => named(next, rule)), one];
}

function named<Head>(edited: EditedPart<Head>, rule: string): Named<Head> {
  return 'is' in edited ? edited : { ...edited, rule };
}
