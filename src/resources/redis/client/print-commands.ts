/** Commands as RESP has them on the wire. Pure. */

/** Its words. */
export type Command = readonly (string | number | Buffer)[];

export function printCommands(commands: readonly Command[]): Buffer {
  return Buffer.concat(
    commands.flatMap((command) => [
      Buffer.from(`*${command.length}\r\n`),
      ...command.flatMap((word) => {
        const bytes = Buffer.isBuffer(word) ? word : Buffer.from(String(word));
        return [Buffer.from(`$${bytes.length}\r\n`), bytes, lineEnd];
      }),
    ]),
  );
}

const lineEnd = Buffer.from('\r\n');
