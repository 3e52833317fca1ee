/** The head of an answer as text. */

export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Framing and keep-alive are up to the sender; `framing` holds those lines. */
export function printHead(status: number, headers: AnswerHeaders, framing: string): string {
  return print(status, headers, framing, (name) => !ofTheTransfer.has(name.toLowerCase()));
}

/** Every header as it is given, including framing. */
export function printHeadAsGiven(status: number, headers: AnswerHeaders, closing: string): string {
  return print(status, headers, closing, () => true);
}

function print(
  status: number,
  headers: AnswerHeaders,
  lastLines: string,
  isKept: (name: string) => boolean,
): string {
  let text = `HTTP/1.1 ${status} ${reasons[status] ?? 'Status'}\r\n`;
  for (const name in headers)
    if (isKept(name)) text += headerLines(name, headers[name] as string | readonly string[]);
  return `${text}${lastLines}\r\n`;
}

const ofTheTransfer = new Set(['connection', 'keep-alive', 'content-length', 'transfer-encoding']);

/** Says that the connection ends after the answer. */
export function saysClose(headers: AnswerHeaders): boolean {
  const connection = headers.connection ?? headers.Connection;
  return typeof connection === 'string' && connection.toLowerCase() === 'close';
}

function headerLines(name: string, value: string | readonly string[]): string {
  if (typeof value === 'string') return headerLine(name, value);
  return value.map((one) => headerLine(name, one)).join('');
}

/** A line end within a header would make another message of it. */
function headerLine(name: string, value: string): string {
  const line = `${name}: ${value}`;
  return lineEnds.test(line) ? `${line.replaceAll(allLineEnds, ' ')}\r\n` : `${line}\r\n`;
}

const lineEnds = /[\r\n\0]/;
const allLineEnds = /[\r\n\0]/g;

const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  206: 'Partial Content',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  529: 'Overloaded',
};
