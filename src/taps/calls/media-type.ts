/** What kind of body a content type announces. */

export type MediaKind = 'json' | 'events' | 'text' | 'unknown';

export function mediaKind(contentType: string | undefined): MediaKind {
  if (contentType === undefined) return 'unknown';
  const end = contentType.indexOf(';');
  const type = (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
  if (type === 'application/json' || type === 'text/json' || type.endsWith('+json')) return 'json';
  if (type === 'text/event-stream') return 'events';
  return type.startsWith('text/') || textTypes.test(type) ? 'text' : 'unknown';
}

const textTypes =
  /^application\/(?:x-www-form-urlencoded|(?:x-)?(?:javascript|ndjson|yaml|toml)|json-seq|jsonlines|graphql|sql|xml)$|\+(?:xml|yaml)$/;
