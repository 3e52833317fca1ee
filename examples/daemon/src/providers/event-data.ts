/** Takes a stream of server-sent events apart: the data of each event that has any. */

/** Lines end with CR, LF or both; lines without a colon, without data or with another name are ignored. */
export function* eventData(body: string): Generator<string> {
  let data: string[] = [];
  // The last event counts without its blank line, too: some providers omit it.
  for (const line of [...body.split(/\r\n|\r|\n/), '']) {
    if (line === '') {
      const whole = data.join('\n');
      data = [];
      if (whole !== '' && !whole.startsWith(':')) yield whole;
      continue;
    }
    const [, name, value] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'data') data.push(value ?? '');
  }
}
