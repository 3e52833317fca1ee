/** Takes a stream of server-sent events apart: the data of each event that has any. */

/** Lines end with CR, LF or both; what has no colon, no data or another name says nothing here. */
export function* eventData(body: string): Generator<string> {
  let data: string[] = [];
  // The last event counts without its blank line, too: providers forget it.
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
