/** How to get a program, in the words of this machine's package manager. */
export interface Packages {
  readonly debian: string;
  readonly macos: string;
}

export function installHint({ debian, macos }: Packages): string {
  return process.platform === 'darwin' ? `brew install ${macos}` : `on Debian: apt-get install ${debian}`;
}
