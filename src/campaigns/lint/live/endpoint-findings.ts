/** What there is to tell of an endpoint that a trial calls and a service does not have. Pure. */
import type { LintFinding } from '../../../checks/lint-finding.ts';
import { nearest } from '../../../kernel/nearest.ts';
import type { EndpointClaim } from './claims.ts';
import { findingAt } from './examined.ts';

const why =
  'a trial that asks for what is not there tests the page that says so, and takes it for the system';

export function unknownEndpoint(claim: EndpointClaim, known: readonly string[]): LintFinding {
  const { target, method, path } = claim;
  const guess = nearest(path.split('?')[0] ?? path, known);
  return findingAt(claim, {
    kind: 'unknown-endpoint',
    text: `${target} has no ${method} ${path}`,
    why,
    next: guess
      ? `did you mean \`${guess}\`?`
      : 'correct the path; where a refusal is meant, expect its status: `expect: { status: 404 }`',
  });
}

export function otherMethod(claim: EndpointClaim, methods: readonly string[]): LintFinding {
  const { target, method, path } = claim;
  return findingAt(claim, {
    kind: 'unknown-endpoint',
    text: `${target} has ${path} for ${methods.join(', ') || 'no method at all'}, and not for ${method}`,
    why,
    next: `use ${methods.join(' or ')}; where a refusal is meant, expect its status`,
  });
}

export function silentService(claim: EndpointClaim, because: string): LintFinding {
  const { target } = claim;
  return findingAt(claim, {
    kind: 'silent-service',
    text: `${target} does not answer: ${because}`,
    why: 'whatever its trials see, it is not this service',
    next: `look at its output: shakedown logs ${target.split('.')[0]}`,
  });
}
