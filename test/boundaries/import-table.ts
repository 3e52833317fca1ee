/** Which room may import which: the rooms of `src/` in the order in which data passes, and the packages from outside. */

export interface ImportTable {
  /** Room to the rooms that it may import; `system:types` allows nothing but types of `system`. */
  readonly rooms: Readonly<Record<string, readonly string[]>>;
  /** Package to the folders and files that may import it. */
  readonly packages: Readonly<Record<string, readonly string[]>>;
  /** Rooms that touch nothing, and the modules of Node that they may use nevertheless. */
  readonly pure: { readonly rooms: readonly string[]; readonly mayUse: readonly string[] };
  readonly exceptions: readonly ImportException[];
}

export interface ImportException {
  readonly file: string;
  /** A room, a package or a module of Node. */
  readonly imports: string;
  readonly because: string;
}

const upToTaps = ['kernel', 'protocols', 'journal', 'patterns', 'kinds', 'checks', 'system', 'taps'];
const upToEnvironment = [...upToTaps, 'resources', 'environment'];
const upToTrials = [...upToEnvironment, 'drivers', 'observers', 'plugins', 'trials'];
const everything = [...upToTrials, 'requirements', 'campaigns', 'report'];

export const importTable: ImportTable = {
  rooms: {
    kernel: [],
    protocols: ['kernel'],
    journal: ['kernel'],
    patterns: ['kernel'],
    kinds: ['kernel', 'patterns', 'protocols'],
    checks: ['kernel', 'journal', 'patterns', 'protocols', 'kinds'],
    system: ['kernel', 'patterns', 'kinds'],
    taps: ['kernel', 'journal', 'protocols'],
    resources: ['kernel', 'journal', 'protocols', 'patterns', 'system:types'],
    environment: [...upToTaps, 'resources'],
    drivers: ['kernel', 'journal', 'protocols', 'patterns', 'kinds', 'resources'],
    observers: ['kernel', 'journal', 'protocols', 'patterns', 'kinds', 'resources', 'drivers:types'],
    plugins: [
      'kernel',
      'journal',
      'protocols',
      'patterns',
      'kinds',
      'system',
      'environment',
      'drivers',
      'observers',
    ],
    trials: [...upToEnvironment, 'drivers', 'observers', 'plugins'],
    requirements: ['kernel', 'journal', 'patterns', 'kinds', 'checks:types', 'system'],
    campaigns: [...upToTrials, 'requirements'],
    report: ['kernel', 'journal', 'patterns', 'kinds', 'checks', 'requirements:types', 'campaigns:types'],
    agents: everything,
    cli: [...everything, 'agents'],
    testing: ['kernel', 'journal:types', 'environment', 'checks:types', 'report:types'],
    'index.ts': ['kinds:types', 'system', 'plugins', 'trials'],
  },
  packages: {
    '@modelcontextprotocol/server': ['src/agents'],
    acorn: ['src/system'],
    diff: ['src/report/page'],
    'fast-xml-parser': ['src/observers/files'],
    mdast: ['src/requirements/markdown'],
    'mdast-util-from-markdown': ['src/requirements/markdown'],
    'mdast-util-gfm-table': ['src/requirements/markdown'],
    'micromark-extension-gfm-table': ['src/requirements/markdown'],
    pg: ['src/resources/postgres'],
    preact: ['src/report/page'],
    'smol-toml': ['src/system', 'src/environment/wiring/render-files.ts'],
    yaml: ['src/system', 'src/environment/wiring/render-files.ts', 'src/observers/files'],
    undici: ['src/drivers/http', 'src/environment/containers/engine'],
    zod: ['src/kinds', 'src/system', 'src/plugins', 'src/trials', 'src/requirements', 'src/agents'],
  },
  pure: {
    rooms: ['protocols', 'patterns', 'kinds', 'checks', 'report'],
    mayUse: ['node:buffer', 'node:util'],
  },
  exceptions: [
    {
      file: 'src/campaigns/report/report-data.ts',
      imports: 'report',
      because: 'what is gathered from run folders has the form that the page in a browser reads',
    },
    {
      file: 'src/taps/exchanges/wrong-value.ts',
      imports: 'patterns',
      because: 'what a mutated service says is made of the mutants with which checks are tried',
    },
    {
      file: 'src/patterns/bounded-regex.ts',
      imports: 'node:vm',
      because:
        'a regular expression of the user can run for ever; only a script with a time limit can be stopped',
    },
    {
      file: 'src/patterns/operators/hmac-operator.ts',
      imports: 'node:crypto',
      because: 'an HMAC follows from its key and its text alone',
    },
  ],
};
