/** The answer to a health check. */
import type { Parts } from './parts.ts';
import { keyword, type Printable } from './wire/sexp.ts';

export interface Health {
  readonly status: 'ok' | 'degraded';
  readonly uptimeS: number;
  readonly skills: number;
  readonly skillsFailed: number;
  readonly heartbeats: number;
  readonly sessions: number;
  readonly events: number;
  readonly lastEvent: string | null;
}

/** Degraded: without skills, with a skill that failed to load, or while no provider answers. */
export function examine(parts: Parts): Health {
  const { skills, heart, events, condition, sessions } = parts;
  const isWhole = skills.all.length > 0 && skills.failed.length === 0 && condition.providersAnswer;
  return {
    status: isWhole ? 'ok' : 'degraded',
    uptimeS: Math.round(process.uptime() * 1000) / 1000,
    skills: skills.all.length,
    skillsFailed: skills.failed.length,
    heartbeats: heart.beats,
    sessions: sessions.size,
    events: events.count,
    lastEvent: events.last,
  };
}

export function healthPayload(health: Health): Printable {
  return {
    STATUS: keyword(health.status),
    UPTIME: health.uptimeS,
    SKILLS: health.skills,
    'SKILLS-FAILED': health.skillsFailed,
    HEARTBEATS: health.heartbeats,
    SESSIONS: health.sessions,
    EVENTS: health.events,
    'LAST-EVENT': health.lastEvent,
  };
}
