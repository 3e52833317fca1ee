/** The URL of a database in a file, as SQLAlchemy and others write it: three slashes, then the absolute path. */

const scheme = 'sqlite:///';

export function sqliteUrl(file: string): string {
  return `${scheme}${file}`;
}

/** Undefined for the URL of a server. */
export function sqliteFile(url: string): string | undefined {
  return url.startsWith(scheme) ? url.slice(scheme.length) : undefined;
}
