/** Reads a `.dockerignore`, as the engine's own clients do: the last pattern that matches a path decides. Pure. */

export interface IgnoreRules {
  /** Whether a path is left out. */
  isIgnored(name: string): boolean;
  /** Something below a folder that is left out may be in nevertheless. */
  readonly hasExceptions: boolean;
}

export function readDockerignore(text: string): IgnoreRules {
  const rules = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .flatMap((line) => {
      if (line.startsWith('#')) return [];
      const isException = line.trim().startsWith('!');
      const pattern = cleaned(
        line
          .trim()
          .slice(isException ? 1 : 0)
          .trim(),
      );
      return pattern === '' || pattern === '.' ? [] : [{ isException, regex: regexOf(pattern) }];
    });
  return {
    isIgnored: (name) => {
      let isIgnored = false;
      for (const { isException, regex } of rules)
        if (isException === isIgnored && regex.test(name)) isIgnored = !isException;
      return isIgnored;
    },
    hasExceptions: rules.some(({ isException }) => isException),
  };
}

/** Without `./`, doubled slashes, `..`, and slashes at either end. */
function cleaned(pattern: string): string {
  const parts: string[] = [];
  for (const part of pattern.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** What matches a folder matches all below it. */
function regexOf(pattern: string): RegExp {
  let source = '';
  for (let at = 0; at < pattern.length; at += 1) {
    const rest = pattern.slice(at);
    const group = /^\[(\^?)((?:\\.|[^\]\\])+)\]/.exec(rest);
    if (rest.startsWith('**/')) [source, at] = [`${source}(?:.*/)?`, at + 2];
    else if (rest.startsWith('**')) [source, at] = [`${source}.*`, at + 1];
    else if (rest.startsWith('*')) source += '[^/]*';
    else if (rest.startsWith('?')) source += '[^/]';
    else if (group)
      [source, at] = [`${source}[${group[1]}${group[2]?.replaceAll('[', '\\[')}]`, at + group[0].length - 1];
    else if (rest.startsWith('\\') && rest.length > 1)
      [source, at] = [`${source}${literal(rest[1] as string)}`, at + 1];
    else source += literal(rest[0] as string);
  }
  return new RegExp(`^${source}(?:/.*)?$`, 's');
}

function literal(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
}
