/** The names and labels of what an environment has at the engine: all of them tell whose it is. Pure. */

export const environmentLabel = 'shakedown.environment';
export const nodeLabel = 'shakedown.node';

export function labelsOf(environment: string, node?: string): Readonly<Record<string, string>> {
  return { [environmentLabel]: environment, ...(node === undefined ? {} : { [nodeLabel]: node }) };
}

/** The name of a container, network, volume or image. */
export function nameAtEngine(environment: string, ...parts: readonly (string | number)[]): string {
  return ['shakedown', environment, ...parts].join('-');
}
