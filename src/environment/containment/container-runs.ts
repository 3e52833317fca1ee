/** Reads command lines: which containers they make, by which name, and whether they speak to the docker engine at all. */
import { defined } from '../../kernel/defined.ts';

export interface ContainerRun {
  readonly name?: string;
  /** What follows `run`; one of them is the image. */
  readonly words: readonly string[];
  /** Its exit code is that of the whole command line. */
  readonly isLast: boolean;
}

const shell = /^(?:\S*\/)?(?:a|ba|da|k|z)?sh\s+(?:-\S+\s+)*?-\w*c\s+/;
const dockerRun =
  /^\s*(?:(?:exec|if|then|else|do|while|until|!)\s+|\w+=\S*\s+)*(?:\S*\/)?docker\s+(?:(?!(?:exec|compose|network|volume|service|secret|config|context|plugin|manifest|buildx|swarm|image)\s)\S+\s+){0,4}?(?:run|create)\s+(.*)/s;
const nameOption = /(?:^|\s)--name[\s=]["']?([a-zA-Z0-9][\w.-]*)/;

/** The containers that a command line starts: as the command itself, or as a command of its shell. */
export function containerRunsIn(commandLine: string): readonly ContainerRun[] {
  const script = commandLine.replace(shell, '').replaceAll('\\\n', ' ');
  const commands = shell.test(commandLine) ? script.split(/[;&|(\n]+/) : [commandLine];
  return commands.flatMap((command) => {
    const [, rest] = dockerRun.exec(command) ?? [];
    if (rest === undefined) return [];
    const [, name] = nameOption.exec(rest) ?? [];
    const isLast = commands.length === 1 || /^\s*exec\s/.test(command);
    return [defined({ words: rest.split(/\s+/), name, isLast })];
  });
}

/** Also through `docker compose`, in a loop, or with a name that only the shell knows. */
export function mentionsDocker(commandLine: string): boolean {
  return /(?:^|[\s/;&|("'`])docker(?:-compose)?\s/.test(commandLine);
}
