/** A config that was made from what a team has already, as text with comments on what could not be decided. */
import { isMap } from '../../kernel/is-map.ts';
import { printMap, printValue } from './print-yaml.ts';

export interface DerivedConfig {
  /** What it was made of, as it can be shown. */
  readonly source: string;
  /** Where the config belongs: beside the file that it was made from. */
  readonly folder: string;
  yaml(learned: Learned): string;
  /** Services for which an embedded resource can stand in. */
  readonly embeddable?: ReadonlySet<string>;
  /** Rights over the machine that it asks for; nothing is booted before somebody allows them. */
  readonly withheld?: readonly string[];
  /** It has to answer now: there is nothing that an edit of the config would start. */
  readonly isThere?: boolean;
  /** What was decided for the user, and has to be known. */
  readonly notes: readonly string[];
}

/** What only a boot says, by the names in the system. */
export interface Learned {
  /** Programs that ended with 0. */
  readonly jobs: ReadonlySet<string>;
  /** Services whose image is not there, and for which an embedded resource stands in. */
  readonly embedded: ReadonlySet<string>;
}

/** A program that becomes a service or a job. */
export interface DerivedProgram {
  readonly name: string;
  readonly isJob?: boolean;
  /** Its keys as in the config, in their order. */
  readonly keys: Readonly<Record<string, unknown>>;
  readonly comments?: readonly string[];
}

export interface DerivedSystem {
  readonly source: string;
  readonly name: string;
  readonly comments: readonly string[];
  readonly resources: Readonly<Record<string, unknown>>;
  readonly programs: readonly DerivedProgram[];
}

const schema = '# yaml-language-server: $schema=node_modules/shakedown/schema/system.schema.json';

export function printHead(source: string, name: string, comments: readonly string[]): readonly string[] {
  return [
    schema,
    `# Written by \`shakedown init --from ${source}\`. A comment with "?" is about what it could not decide.`,
    ...comments.map((comment) => `# ${comment}`),
    `name: ${name}`,
    '',
  ];
}

/** The jobs of the file itself come first in all else; what is only learned to be one waits for nothing. */
export function printSystem(system: DerivedSystem, { jobs: learned }: Learned): string {
  const isJob = ({ name, isJob }: DerivedProgram): boolean => isJob === true || learned.has(name);
  const section = (title: string, programs: readonly DerivedProgram[]): readonly string[] =>
    programs.length === 0 ? [] : [`${title}:`, ...programs.flatMap((one) => printProgram(one, learned)), ''];
  const resources = Object.entries(system.resources).map(
    ([name, value]) => `  ${name}: ${printValue(value)}`,
  );
  return [
    ...printHead(system.source, system.name, system.comments),
    ...(resources.length === 0 ? [] : ['resources:', ...resources, '']),
    ...section('jobs', system.programs.filter(isJob)),
    ...section(
      'services',
      system.programs.filter((one) => !isJob(one)),
    ),
  ].join('\n');
}

function printProgram({ name, keys, comments = [] }: DerivedProgram, learned: ReadonlySet<string>) {
  const shown = Object.entries(keys).filter(([, value]) => !isMap(value) || Object.keys(value).length > 0);
  const kept = shown.filter(([key]) => key !== 'listen' || !learned.has(name));
  return [
    ...comments.map((comment) => `  # ${comment}`),
    `  ${name}:${learned.has(name) ? ' # it ended with 0 when the system was booted' : ''}`,
    ...printMap(Object.fromEntries(kept), '    '),
  ];
}
