/** What the driver of a volume and its options make of it: a bind mount, a volume of the environment, or something beyond it. Pure. */

export interface VolumeOptions {
  /** `local` when absent. */
  readonly driver?: string | undefined;
  readonly driverOptions?: Readonly<Record<string, string>> | undefined;
}

/** The folder of this machine that such a volume is, and whether it is only read. */
export function boundFolder({ driver, driverOptions = {} }: VolumeOptions) {
  const { type: _, o = '', device = '', ...others } = driverOptions;
  const words = o.split(',');
  const isUnderstood = words.every((word) => /^(?:r?bind|rw|ro|defaults|)$/.test(word));
  if (!isLocal(driver) || !isBind(o) || device === '' || !isUnderstood || Object.keys(others).length > 0)
    return undefined;
  return { device, readOnly: words.includes('ro') };
}

export function isBind(options: string): boolean {
  return /(?:^|,)r?bind(?:,|$)/.test(options);
}

/** It begins empty, and nothing is left of it. */
export function isOfEnvironment({ driver, driverOptions = {} }: VolumeOptions): boolean {
  const { type, o = '', device: _, ...others } = driverOptions;
  if (!isLocal(driver) || Object.keys(others).length > 0) return false;
  if (Object.keys(driverOptions).length === 0) return true;
  const inMemory = /^(?:(?:size|nr_inodes|nr_blocks|uid|gid|mode)=[\w%]+|rw|ro|no\w+|defaults|)$/;
  return type === 'tmpfs' && o.split(',').every((word) => inMemory.test(word));
}

function isLocal(driver = 'local'): boolean {
  return driver === 'local' || driver === '';
}
