/** The address behind us that a request is passed on to. */

/** What is asked for, below the address of the provider: a version that both have stands there once, and keys are left out. */
export function upstreamUrl(base: string, target: string): URL {
  const url = new URL(base);
  const [, path = '/', query = ''] = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?]*)?([^?]*)\??(.*)$/i.exec(target) ?? [];
  const above = url.pathname.replace(/\/+$/, '');
  const isVersioned = /\/v\d\w*$/.test(above);
  url.pathname = above + (isVersioned ? path.replace(/^\/v\d\w*(?=\/)/, '') : path);
  const wanted = new URLSearchParams(query);
  wanted.delete('key');
  for (const [name, value] of wanted) url.searchParams.append(name, value);
  return url;
}
