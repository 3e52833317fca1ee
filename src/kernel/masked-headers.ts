/** Headers that carry credentials: of their values only the scheme and the tokens of secrets are kept. */
export const maskedHeaders: readonly string[] = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  'x-auth-token',
];
