/** What the steps of one attempt have in common, such as connections that are kept alive; ended with the attempt. */

export interface Belonging {
  end(): Promise<void>;
}

export interface Belongings {
  /** The thing of this name, made when it is first wished for. */
  once<T extends Belonging>(name: string, make: () => T): T;
  /** Ends all of them, the last first, and gives what went wrong. Nothing can be wished for any more. */
  end(): Promise<readonly string[]>;
}

export function openBelongings(): Belongings {
  const things = new Map<string, Belonging>();
  let isOver = false;
  return {
    once: <T extends Belonging>(name: string, make: () => T): T => {
      if (isOver) throw new Error(`\`${name}\` is wished for after the attempt has ended`);
      // A name belongs to one driver, which always makes the same kind of thing.
      const thing = (things.get(name) as T | undefined) ?? make();
      things.set(name, thing);
      return thing;
    },
    end: async () => {
      isOver = true;
      const faults: string[] = [];
      for (const [name, thing] of [...things].reverse()) {
        await thing.end().catch((error: unknown) => faults.push(`${name}: ${String(error)}`));
      }
      things.clear();
      return faults;
    },
  };
}
