/** The texts of a container in which references may be, each with its place in the config. Pure. */
import type { ContainerSpec } from './container-spec.ts';

export function containerTexts(
  container: ContainerSpec | undefined,
): ReadonlyArray<readonly [where: string, text: string]> {
  if (container === undefined) return [];
  const { entrypoint = [], command = [], build, labels = {}, healthcheck, mounts } = container;
  const test = healthcheck === undefined || healthcheck === 'none' ? [] : (healthcheck.test ?? []);
  return [
    ...[...entrypoint, ...command].map((text) => ['command', text] as const),
    ...Object.entries(build?.args ?? {}).map(([name, text]) => [`build.args.${name}`, text] as const),
    ...Object.entries(labels).map(([name, text]) => [`label ${name}`, text] as const),
    ...test.map((text) => ['healthcheck', text] as const),
    ...mounts.flatMap((mount) =>
      mount.kind === 'file' ? [[`file ${mount.target}`, mount.text] as const] : [],
    ),
  ];
}
