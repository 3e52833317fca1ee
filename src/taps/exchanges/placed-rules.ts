/** The rules placed on an edge: which of them an exchange meets, counted since they were placed. */
import type { Random } from '../../kernel/random.ts';
import type { RequestHead } from '../../protocols/http/http-message.ts';
import type { EditAbout, ExchangeEdit } from './exchange-edit.ts';
import { fitsHead } from './exchange-filter.ts';
import type { ExchangeRule } from './exchange-rule.ts';
import { editFor, type LoadedEdits } from './faults/edit-for.ts';

export interface NamedEdit extends ExchangeEdit {
  /** As the trial names its rule. */
  readonly rule: string;
}

interface PlacedRule {
  readonly rule: ExchangeRule;
  /** Exchanges that it was about so far. */
  count: number;
}

export class PlacedRules {
  readonly #placed: readonly PlacedRule[];
  readonly #random: Random;
  readonly #always: (() => ExchangeEdit) | undefined;
  readonly #loaded: LoadedEdits | undefined;

  constructor(
    rules: readonly ExchangeRule[],
    random: Random,
    always?: () => ExchangeEdit,
    loaded?: LoadedEdits,
  ) {
    this.#always = always;
    this.#loaded = loaded;
    this.#placed = rules.map((rule) => ({ rule, count: 0 }));
    this.#random = random;
  }

  /** Whether a rule asks for a method of JSON-RPC, or may have asked something itself, so that the body has to be read before it is known. */
  asksForBody(head: RequestHead): boolean {
    return this.#placed.some(
      ({ rule: { where = {}, fault } }) =>
        (where.rpc !== undefined || (fault.do === 'shape' && fault.shape.startsWith('M'))) &&
        fitsHead(where, head),
    );
  }

  /** Counts the exchange, and gives the edits of the rules that it meets. */
  meet(rpcMethods: readonly string[], about: Omit<EditAbout, 'random'>): readonly NamedEdit[] {
    const edits = this.#placed.flatMap((placed): OrderedEdit[] => {
      const { where = {}, fault, name } = placed.rule;
      if (!fitsHead(where, about.request)) return [];
      if (where.rpc !== undefined && !rpcMethods.includes(where.rpc)) return [];
      placed.count += 1;
      if (!isChosen(placed.rule, placed.count)) return [];
      const random = this.#random.fork(`${name}/${placed.count}`);
      return [
        { ...editFor(fault, { ...about, random }, this.#loaded), rule: name, place: placeOf(placed.rule) },
      ];
    });
    const first = this.#always === undefined ? [] : [{ ...this.#always(), rule: 'always' }];
    return [...first, ...edits.toSorted((one, other) => one.place - other.place)];
  }
}

type OrderedEdit = NamedEdit & { readonly place: number };

export function isChosen({ crossing }: ExchangeRule, count: number): boolean {
  if (crossing === undefined) return true;
  return typeof crossing === 'number' ? crossing === count : crossing.includes(count);
}

/** What changes a response comes before what delays or stops it, so that a place is counted in what the consumer gets. */
function placeOf({ fault }: ExchangeRule): number {
  return fault.do === 'delay' || fault.do === 'cut' || fault.do === 'hold' ? 1 : 0;
}
