/** One request and what came of it; several where the answer points elsewhere and the step goes there. */
import type { Dispatcher } from 'undici';
import { defined } from '../../kernel/defined.ts';
import { givenUp, notStarted } from '../act-error.ts';
import { type ActLife, beginLife } from '../act-life.ts';
import type { Act, ActError, ActEvidence, DriverContext, Redirected } from '../driver.ts';
import { driverLimits } from '../driver-limits.ts';
import { beginAnswer, type HttpAnswer } from './http-answer.ts';
import { type ErrorFacts, httpError, lateMessage } from './http-error.ts';
import type { HttpLine } from './http-line.ts';
import { type HttpLines, openLines } from './http-lines.ts';
import type { HttpStep } from './http-step.ts';
import { type Hop, nextHop } from './redirect.ts';
import { noBody, type RequestBody, requestBody } from './request-body.ts';
import { originOf, requestPath } from './request-url.ts';

/** What is sent, once or again at the next place. */
interface Request {
  readonly method: string;
  readonly url: string;
  readonly origin: string;
  /** What the host of the origin was resolved to. */
  readonly address?: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody;
}

export class HttpExchange implements Act {
  readonly #step: HttpStep;
  readonly #context: DriverContext;
  readonly #life: ActLife;
  #lines: HttpLines | undefined;
  #line: HttpLine | undefined;
  #sentOnLineBefore = 0;
  #sentBefore = 0;
  #first: Request | undefined;
  #current: Request | undefined;
  #answer: HttpAnswer | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #error: ActError | undefined;
  #broken: string | undefined;
  #final: ActEvidence | undefined;
  readonly #redirects: { status: number; url: string }[] = [];

  constructor(step: HttpStep, context: DriverContext) {
    this.#step = step;
    this.#context = context;
    this.#life = beginLife(context, { late: () => this.#late(), givenUp: () => this.#fail(givenUp) });
    if (context.signal.aborted) this.#fail(notStarted(givenUp.message));
    else void this.#begin();
  }

  get done(): Promise<void> {
    return this.#life.done;
  }

  sentBytes(): number {
    return this.#sentBefore + (this.#line ? this.#line.bytesSent() - this.#sentOnLineBefore : 0);
  }

  evidence(): ActEvidence {
    if (this.#final) return this.#final;
    const evidence: ActEvidence = {
      request: this.#requestEvidence(),
      ...this.#answer?.evidence(),
      ...defined({ broken: this.#broken }),
      ...(this.#redirects.length > 0 ? { redirects: [...this.#redirects] } : {}),
      durationMs: this.#life.durationMs,
      ...defined({ error: this.#error }),
    };
    if (this.#life.isOver) this.#keepOnly(evidence);
    return evidence;
  }

  /** An attempt may have thousands of acts; their bodies need not be kept twice. */
  #keepOnly(evidence: ActEvidence): void {
    this.#final = evidence;
    this.#answer = undefined;
    this.#first = undefined;
    this.#current = undefined;
    this.#controller = undefined;
  }

  #requestEvidence(): Readonly<Record<string, unknown>> {
    const { method, target } = this.#step;
    if (!this.#first) return { method, target };
    const { url, headers, body } = this.#first;
    return { method, url, headers, ...body.shown, bytes: body.bytes };
  }

  async #begin(): Promise<void> {
    try {
      const { bodyBytes, folder } = this.#context;
      const origin = originOf(this.#context.address(this.#step.target));
      const path = requestPath(this.#step.path, this.#step.query);
      const made = requestBody(this.#step, folder, bodyBytes);
      const body = made instanceof Promise ? await made : made;
      const { method } = this.#step;
      const headers = requestHeaders(this.#step.headers, body);
      this.#first = { method, url: `${origin}${path}`, origin, path, headers, body };
      if (!this.#life.isOver) this.#send(this.#first);
    } catch (error) {
      this.#fail(notStarted(error));
    }
  }

  #send(request: Request): void {
    this.#current = request;
    this.#lines ??= linesOf(this.#context);
    this.#line = this.#lines.take(request.origin, request.address);
    this.#sentOnLineBefore = this.#line.bytesSent();
    const { content, bytes } = request.body;
    const isStream = typeof content === 'function';
    this.#line.client.dispatch(
      {
        method: request.method as Dispatcher.HttpMethod,
        path: request.path,
        headers: isStream ? { ...request.headers, 'content-length': String(bytes) } : { ...request.headers },
        body: isStream ? content() : content,
      },
      this.#handler(request),
    );
  }

  #handler(request: Request): Dispatcher.DispatchHandler {
    return {
      onRequestStart: (controller) => {
        if (this.#life.isOver) controller.abort(new Error('the act is over'));
        else this.#controller = controller;
      },
      onResponseStart: (controller, status, headers) => {
        if (status < 200 || this.#life.isOver) return;
        this.#answer = beginAnswer(request.method, status, headers, this.#context.bodyBytes);
        if (!this.#answer.onlyAnnounces) return;
        const line = this.#leaveLine(); // undici would wait on it for a body that never comes
        this.#answered(request);
        controller.abort(new Error('the answer is whole'));
        if (line) void this.#lines?.discard(line);
      },
      onResponseData: (_, chunk) => {
        if (this.#life.isOver) return;
        this.#answer?.push(chunk);
        if (this.#answer?.isFull) this.#stopReading('cap');
      },
      onResponseEnd: (_, trailers) => {
        this.#answer?.takeTrailers(trailers);
        // undici takes a reset for the end of a body that lasts until its connection is closed
        const failure = this.#line?.failure();
        if (failure) this.#fail(httpError(failure, this.#facts()));
        else this.#answered(request);
      },
      onResponseError: (_, error) => this.#fail(httpError(error, this.#facts())),
    };
  }

  #answered(request: Request): void {
    const answer = this.#answer;
    if (this.#life.isOver || !answer) return;
    const hop = this.#step.redirect ? nextHop(answer.status, answer.location, request) : undefined;
    const line = this.#leaveLine();
    if (line) this.#lines?.giveBack(request.origin, line, answer.saysKeepAlive);
    if (hop && this.#redirects.length < driverLimits.redirects) {
      this.#redirects.push({ status: answer.status, url: hop.url });
      this.#answer = undefined;
      const checked = this.#context.redirected?.(this.#step.target, hop.url);
      if (checked) void this.#followChecked(request, hop, checked);
      else this.#follow(request, hop);
      return;
    }
    if (hop) this.#broken = `it points elsewhere for the ${driverLimits.redirects + 1}th time`;
    answer.end('peer');
    this.#end();
  }

  async #followChecked(request: Request, hop: Hop, checked: Promise<Redirected>): Promise<void> {
    try {
      const place = await checked;
      if (this.#life.isOver) return;
      if ('address' in place) this.#follow(request, hop, place.address);
      else {
        const { pathname, search } = new URL(hop.url);
        this.#follow(request, { ...hop, url: `${place.origin}${pathname}${search}`, isForeign: false });
      }
    } catch (error) {
      this.#fail(notStarted(error));
    }
  }

  #follow(request: Request, hop: Hop, address?: string): void {
    const { origin, pathname, search } = new URL(hop.url);
    const body = hop.keepsBody ? request.body : noBody;
    const headers = Object.entries(request.headers).filter(
      ([name]) =>
        (hop.keepsBody || !name.startsWith('content-')) &&
        (!hop.isForeign || !['authorization', 'cookie', 'host'].includes(name)),
    );
    const path = `${pathname}${search}`;
    this.#send({
      method: hop.method,
      url: hop.url,
      origin,
      path,
      headers: Object.fromEntries(headers),
      body,
      ...defined({ address }),
    });
  }

  #late(): void {
    if (this.#answer?.isStream) this.#stopReading('timeout');
    else this.#fail({ kind: 'timeout', message: lateMessage(this.#context.timeoutMs, this.#facts()) });
  }

  #stopReading(by: 'cap' | 'timeout'): void {
    this.#answer?.end(by);
    this.#end();
    this.#dropLine();
  }

  #fail(error: ActError): void {
    if (this.#life.isOver) return;
    this.#error = error;
    this.#end();
    this.#dropLine();
  }

  #facts(): ErrorFacts {
    return {
      peer: this.#current?.origin ?? this.#step.target,
      isSent: this.sentBytes() > 0,
      status: this.#answer?.status,
      bodyBytes: this.#answer?.bodyBytes ?? 0,
    };
  }

  #dropLine(): void {
    const line = this.#leaveLine();
    this.#controller?.abort(new Error('the act is over'));
    if (line) void this.#lines?.discard(line);
  }

  #leaveLine(): HttpLine | undefined {
    const line = this.#line;
    this.#sentBefore = this.sentBytes();
    this.#line = undefined;
    return line;
  }

  #end(): void {
    this.#life.end();
    if (!this.#context.resources && this.#lines) void this.#lines.end();
  }
}

function linesOf({ resources, clock, signal }: DriverContext): HttpLines {
  if (!resources) return openLines(clock);
  return resources.once('http', () => {
    const lines = openLines(clock);
    signal.addEventListener('abort', () => void lines.end(), { once: true });
    return lines;
  });
}

/** Names in lower case, so that a step's own header replaces the default. */
export function requestHeaders(
  own: Readonly<Record<string, string>> | undefined,
  body: RequestBody,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { accept: '*/*', 'user-agent': 'shakedown' };
  if (body.type !== undefined) headers['content-type'] = body.type;
  for (const [name, value] of Object.entries(own ?? {})) headers[name.toLowerCase()] = String(value);
  return headers;
}
