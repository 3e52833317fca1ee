/** Headers that let somebody in: of their values nothing is kept but a scheme and the tokens of secrets. */
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
