/** The error type of the product: where, what with the value, what is allowed, what to do next. */
import type { ExitCode } from './exit-codes.ts';
import { type ProblemCode, type ProblemFamily, problemCodes } from './problem-codes.ts';
import { formatExcerpt, formatPosition, type SourcePosition } from './source-position.ts';

/** What a program may ask of a problem, so that it need not read the sentences. */
export interface ProblemFacts {
  /** The service, job or resource that it is about. */
  readonly part?: string;
  /** The exit code of that part. */
  readonly ended?: number | null;
  /** The variable that is missing. */
  readonly variable?: string;
}

export interface ProblemParts {
  readonly code: ProblemCode;
  /** A place in a file, or a name such as `service health, phase ready`. */
  readonly where: SourcePosition | string;
  /** What is wrong, with the actual value. */
  readonly what: string;
  /** What would have been accepted. */
  readonly allowed: string;
  /** What to do next, with a command where there is one. */
  readonly next: string;
  /** Lines of evidence: the tail of a log, the paths that were tried. */
  readonly evidence?: readonly string[];
  readonly facts?: ProblemFacts;
  readonly cause?: unknown;
}

export class Problem extends Error {
  readonly code: ProblemCode;
  readonly family: ProblemFamily;
  readonly exitCode: ExitCode;
  readonly where: SourcePosition | string;
  readonly what: string;
  readonly allowed: string;
  readonly next: string;
  readonly evidence: readonly string[];
  readonly facts: ProblemFacts;

  constructor(parts: ProblemParts) {
    super(
      `${whereText(parts.where)}: ${parts.what}`,
      parts.cause === undefined ? {} : { cause: parts.cause },
    );
    this.name = 'Problem';
    this.code = parts.code;
    this.family = problemCodes[parts.code].family;
    this.exitCode = problemCodes[parts.code].exitCode;
    this.where = parts.where;
    this.what = parts.what;
    this.allowed = parts.allowed;
    this.next = parts.next;
    this.evidence = parts.evidence ?? [];
    this.facts = parts.facts ?? {};
  }
}

/** The problem of an argument that cannot be used. */
export function badUsage(where: string, what: string, allowed: string, next: string): Problem {
  return new Problem({ code: 'usage.bad-value', where, what, allowed, next });
}

/** Several problems, reported together. */
export class Problems extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map((problem) => problem.message).join('\n'));
    this.name = 'Problems';
    this.problems = problems;
  }
}

/** Throws them together, if there are any. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new Problems(problems);
}

/** A problem as plain data, for `--json`, the keeper's socket and the journal. */
export interface ProblemData extends Required<Omit<ProblemParts, 'cause' | 'facts'>> {
  readonly facts?: ProblemFacts;
  readonly family: ProblemFamily;
  readonly exitCode: ExitCode;
}

export function problemToData(problem: Problem): ProblemData {
  const { code, family, exitCode, where, what, allowed, next, evidence, facts } = problem;
  const known = Object.keys(facts).length > 0 ? { facts } : {};
  return { code, family, exitCode, where, what, allowed, next, evidence, ...known };
}

export function problemFromData(data: ProblemData): Problem {
  return new Problem(data);
}

/** Passes over a problem, where something that cannot be read is merely not known. */
export function ifProblem(error: unknown): undefined {
  if (!(error instanceof Problem || error instanceof Problems)) throw error;
}

/** Every problem in an error; anything else that was thrown is a bug in Shakedown. */
export function problemsIn(error: unknown): readonly Problem[] {
  if (error instanceof Problem) return [error];
  if (error instanceof Problems) return error.problems;
  return [bugProblem(error)];
}

function bugProblem(error: unknown): Problem {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new Problem({
    code: 'shakedown.bug',
    where: 'Shakedown itself',
    what: error instanceof Error ? error.message : `something was thrown: ${String(error)}`,
    allowed: 'no unexpected error, whatever the input',
    next: 'please report it and attach the run folder named above, or this text',
    evidence: stack.split('\n').slice(0, 12),
    cause: error,
  });
}

/** The four parts as text. */
export function formatProblem(problem: Problem): string {
  const lines = [`error[${problem.code}] ${whereText(problem.where)}`];
  if (typeof problem.where !== 'string' && problem.where.excerpt !== undefined)
    lines.push(formatExcerpt(problem.where));
  lines.push(
    `  what     ${indent(problem.what)}`,
    `  allowed  ${indent(problem.allowed)}`,
    `  next     ${indent(problem.next)}`,
  );
  if (problem.evidence.length > 0) lines.push(...problem.evidence.map((line) => `  | ${line}`));
  return lines.join('\n');
}

export function whereText(where: SourcePosition | string): string {
  return typeof where === 'string' ? where : formatPosition(where);
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n           ');
}
