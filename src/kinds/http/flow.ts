/** `http` in a flow. */
import {
  type ActOptions,
  type Evidence,
  type FlowSteps,
  mergedOptions,
  type Texts,
} from '../kind/flow-method.ts';

export interface HttpFlow {
  readonly http: (target: string, defaults?: HttpOptions) => HttpDriver;
}

export interface HttpOptions extends ActOptions {
  readonly json?: unknown;
  readonly text?: string;
  readonly form?: Texts;
  readonly multipart?: readonly Readonly<Record<'name', string> & Partial<Record<PartKey, string>>>[];
  readonly body?: { readonly file?: string; readonly hex?: string };
  readonly headers?: Texts;
  readonly query?: Texts;
  readonly redirect?: boolean;
}

type PartKey = 'text' | 'file' | 'hex' | 'filename' | 'type';

type HttpCall = <Json = unknown>(path: string, options?: HttpOptions) => Promise<HttpEvidence<Json>>;

export interface HttpDriver {
  readonly get: HttpCall;
  readonly post: HttpCall;
  readonly put: HttpCall;
  readonly patch: HttpCall;
  readonly delete: HttpCall;
  readonly request: <Json = unknown>(
    method: string,
    path: string,
    options?: HttpOptions,
  ) => Promise<HttpEvidence<Json>>;
}

export interface HttpEvidence<Json = unknown> extends Evidence {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: Json;
  readonly text?: string;
  readonly events?: readonly Readonly<Record<string, unknown>>[];
  readonly bytes: number;
  readonly durationMs: number;
  readonly redirects?: readonly unknown[];
}

export function httpFlow({ act }: FlowSteps): HttpFlow {
  return {
    http: (target, defaults = {}) => {
      const request: HttpDriver['request'] = async (method, path, options = {}) => {
        const line = `${method.toUpperCase()} ${target}${/^(?:[/?]|$)/.test(path) ? '' : '/'}${path}`;
        return act({ http: line }, mergedOptions(defaults, options));
      };
      return {
        request,
        get: (path, options) => request('GET', path, options),
        post: (path, options) => request('POST', path, options),
        put: (path, options) => request('PUT', path, options),
        patch: (path, options) => request('PATCH', path, options),
        delete: (path, options) => request('DELETE', path, options),
      };
    },
  };
}
