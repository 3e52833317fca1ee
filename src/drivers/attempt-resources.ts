/** What the steps of one attempt have in common, such as connections that are kept alive; ended with the attempt. */

export interface AttemptResource {
  end(): Promise<void>;
}

export interface AttemptResources {
  /** The thing of this name, created when it is first requested. */
  once<T extends AttemptResource>(name: string, make: () => T): T;
  /** Ends all of them, the last first, and returns what went wrong. Nothing can be requested after that. */
  end(): Promise<readonly string[]>;
}

export function openAttemptResources(): AttemptResources {
  const things = new Map<string, AttemptResource>();
  let isOver = false;
  return {
    once: <T extends AttemptResource>(name: string, make: () => T): T => {
      if (isOver) throw new Error(`\`${name}\` is requested after the attempt has ended`);
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
