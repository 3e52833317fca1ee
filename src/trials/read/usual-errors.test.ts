import { expect, test } from 'vitest';
import { requiredTexts } from '../../observers/logs/required-texts.ts';
import { usualErrors } from './usual-errors.ts';

const gate = new RegExp(usualErrors);

test.each([
  '2031-05-17 09:41:07 [error    ] refund lost                    ticket=3', // structlog
  '2031-05-17 09:41:07 [critical ] refund lost',
  '  + Exception Group Traceback (most recent call last):',
  '    | Traceback (most recent call last):',
  'Traceback (most recent call last):',
  '╭─────────── Traceback (most recent call last) ────────────╮', // rich
  '2031/05/17 09:41:07 http: panic serving 127.0.0.1:40112: assignment to entry in nil map', // Go
  'goroutine 21 [running]:',
  'panic: runtime error: index out of range',
  "thread 'tokio-runtime-worker' panicked at src/main.rs:4:5:",
  "thread 'main' (4711) panicked at src/main.rs:4:5:",
  'Exception in thread "http-1" java.lang.NullPointerException',
  'SEVERE: Servlet.service() threw an exception', // java.util.logging
  'fail: Microsoft.AspNetCore.Server.Kestrel[13]', // .NET
  '[09:41:07 ERR] refund lost', // Serilog
  '9:41AM ERR refund lost ticket=3', // zerolog
  '2031-05-17T09:41:07.120Z\terror\trefunds/main.go:12\trefund lost', // zap
  '[Sat May 17 09:41:07 2031] [proxy_http:error] [pid 12] AH01114: no connection', // Apache
  '2031/05/17 09:41:07 [crit] 12#12: *1 connect() failed', // nginx
  'time="2031-05-17T09:41:07Z" level="error" msg="refund lost"',
  '{"level":"panic","msg":"refund lost"}',
  '{"severity": "error", "message": "refund lost"}',
  '{"@timestamp":"2031-05-17T09:41:07Z","log.level":"error","message":"refund lost"}', // ECS
  'error: refund lost', // winston
  '2031-05-17 09:41:07 ERROR refund lost',
  '{"level":50,"msg":"refund lost"}',
  '{"level":"ERROR","config":{"level":"info"}}',
  'ERROR the config {"level":"info"} is unfit',
  'WARNING/ForkPoolWorker-1] ERROR refund lost', // what a task prints in Celery
  '50%|#####     | 5/10\r2031-05-17 09:41:07 ERROR refund lost', // behind a progress bar
  'refunds\u2028ERROR refund lost',
  'TRACE-ID: 4bf92f ERROR refund lost',
  '[INFO-pool-1] ERROR com.shop.Refunds',
  'DEBUG=true ERROR refund lost',
  '{"log_level":"ERROR","battery":{"level": 30}}',
  '{"status":"ERROR","config":{"log":{"level":"info"}}}',
  '{"ctx":{"id":1},"level":"error","msg":"refund lost"}',
  'web-1 | {"level":"error","msg":"refund lost"}',
])('an error: %s', (line) => {
  expect(gate.test(line)).toBe(true);
});

test.each([
  'INFO 0 errors, 3 warnings',
  '2031-05-17 09:41:07,120 INFO root 200 "GET /tickets?status=ERROR"',
  'INFO:     127.0.0.1:40112 - "GET /tickets?status=ERROR HTTP/1.1" 200 OK',
  '{"event": "GET /tickets?status=ERROR", "level": "info"}',
  '{"level":30,"msg":"GET /tickets?status=ERROR"}',
  '2031-05-17 09:41:07 [info     ] asked                          path=/tickets?status=ERROR',
  'time="2031-05-17T09:41:07Z" level=info msg="GET /tickets?status=ERROR"',
  'errors: 0',
  'error_count=0 fatal=0',
  '{"level":"info","msg":"done","errors":0,"error":null}',
  '{"level":30,"msg":"no error"}',
  'INFO found "Traceback (most recent call last)" in the output of the job',
  '  "Traceback (most recent call last):",',
  '> Traceback (most recent call last):',
  'INFO the word Traceback (most recent call last) was not seen',
  'INFO no panic: the cache is cold',
  'the panic: button was tested',
  'INFO 12 goroutines [running]',
  'INFO thread pool started, none panicked',
  '10 OK 0 ERR 2 SKIP',
  'Exception in thread Thread-1 (pay):', // its traceback follows
  'fail: 0',
  'pass: 12 fail: 0',
  'config: log_level=error',
  '{"msg":"config","log_level":"error"}',
  'loglevel=error',
  '[info     ] error budget is full',
  '[errors] 0',
  '  error: null,',
  '127.0.0.1 - - [17/May/2031:09:41:07 +0000] "GET /error HTTP/1.1" 200 12',
  '[debug    ] retrying                       error=None',
  'GET /errors/fatal 200 in 3 ms',
  '{"level":"info","msg":"alert created","severity":"critical"}',
  '{"level":30,"finding":{"severity":"error"}}',
  '{"msg":"alert created","severity":"critical","level":"info"}',
  '{"severity":50,"msg":"alert created"}',
  '{"ctx":{"id":1},"level":"info","msg":"GET /tickets?status=ERROR"}',
  'INFO: 127.0.0.1 - "GET /x?level=error HTTP/1.1" 200',
  '[info] [app:error] is the name of a channel',
  'level=info msg="set level=error"',
  'INFO alarm\tpanic\tbutton',
  'INFO http: panic serving is what Go writes',
])('no error: %s', (line) => {
  expect(gate.test(line)).toBe(false);
});

test('lines without any of its texts are passed over', () => {
  const texts = requiredTexts(usualErrors) ?? [];
  expect(texts.length).toBeGreaterThan(0);
  expect(Math.min(...texts.map(({ length }) => length))).toBeGreaterThan(2);
});
