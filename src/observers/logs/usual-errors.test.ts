import { expect, test } from 'vitest';
import { isUsualError, textsOfUsualErrors } from './usual-errors.ts';

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
  '{"log": {"level": "error"}, "message": "refund lost"}', // ECS, nested
  "TypeError: Cannot read properties of undefined (reading 'x')", // console.error in Node
  'TypeError: order.save is not a function',
  'TypeError: pay is not a function',
  'TypeError: fetch failed',
  'SyntaxError: Unexpected token } in JSON at position 4',
  'Error: refund lost',
  '[Error: ENOENT: no such file or directory] {',
  'TypeError [ERR_INVALID_ARG_TYPE]: The "path" argument must be of type string',
  'PrismaClientKnownRequestError: ',
  'java.lang.IllegalStateException: refund lost',
  'com.shop.Refunds$LostException',
  'System.InvalidOperationException: refund lost',
  'E1116 15:04:05.000000       1 reconciler.go:12] "Failed to save order" err="boom"', // klog
  'F1116 15:04:05.000000   12345 main.cc:7] lost', // glog
  '2026-01-01T00:00:00.000Z error: refund lost', // winston
  '2026-01-01 00:00:00 [refunds] error: refund lost',
  '[09:41:07.120] error: refund lost',
  'ERRO[0000] refund lost', // logrus
  'ERRO[2026-01-01T00:00:00Z] refund lost',
  'ERROR:root:WARNING the tank is empty',
  'level=ERROR msg="refund lost"', // slog
  '[2031-05-17T09:41:07Z ERROR refunds] refund lost', // env_logger
  '2031-05-17T09:41:07.120Z ERROR refunds: refund lost', // tracing
  'error: null value in column "name" of relation "users" violates not-null constraint',
  'error: no such table: users',
  'fatal: no such host',
  'error: no pg_hba.conf entry for host',
  'critical: no space left on device',
  "Error: no such file or directory, open 'x'",
  'MongoServerError: no primary',
  'TypeError: undefined is not iterable (cannot read property Symbol(Symbol.iterator))',
  'TypeError: object null is not iterable',
  "TypeError: null is not an object (evaluating 'order.id')", // Bun
  'request "POST /pay HTTP/1.1" -> ERROR ledger lost',
  '127.0.0.1 - "POST /pay HTTP/1.1" 500 ERROR ledger lost',
  'the page said "HTTP ERROR 500"',
  'Request WARN threshold exceeded, FATAL: out of memory',
  '2031-05-17 09:41:07 Request WARN threshold exceeded, FATAL: out of memory',
  'refund 7 is late, WARN limit reached, ERROR refund lost',
  'ERROR [main] WARN limit reached',
  '[error] [main] WARN limit reached',
  '{"env":"INFO","msg":"ERROR refund lost"}',
  '{"level":"Error","msg":"refund lost"}',
  '{"level":"error","severity":"INFO","msg":"refund lost"}',
  '{"Level":"Error","MessageTemplate":"refund lost"}', // Serilog
  '{"EventId":0,"LogLevel":"Critical","Category":"Refunds"}', // .NET
  "event='refund lost' order=7 level='error'", // structlog
  '(node:12) UnhandledPromiseRejectionWarning: Error: refund lost',
  '{"event": "unexpected { in the answer", "level": "error"}',
  '{"event": "unexpected \\" and } in the answer", "ctx": {"a": "{"}, "level": "error"}',
  'INFO:     Child process [12] died', // uvicorn
  '[2031-05-17 09:41:07 +0000] [12] [WARNING] Worker with pid 13 was terminated due to signal 11', // gunicorn
  '[2031-05-17 09:41:07 +0000] [12] [ERROR] Worker (pid:13) was sent SIGSEGV!', // gunicorn, newer
  "[2031-05-17 09:41:07,120: ERROR/MainProcess] Process 'ForkPoolWorker-1' pid:13 exited with 'signal 11 (SIGSEGV)'", // Celery
  'DAMN ! worker 1 (pid: 13) died, killed by signal 11 :( trying respawn ...', // uWSGI
  '2031/05/17 09:41:07 [alert] 12#12: worker process 13 exited on signal 11 (core dumped)', // nginx
  '[Sat May 17 09:41:07 2031] [core:notice] [pid 12] AH00051: child pid 13 exit signal Segmentation fault (11)', // Apache
  '[17-May-2031 09:41:07] WARNING: [pool www] child 13 exited on signal 11 (SIGSEGV) after 3.2 seconds from start', // php-fpm
  'PM2        | App [shop:0] exited with code [0] via signal [SIGSEGV]',
  'worker 13 died', // cluster of Node, as its documentation writes it
  '{"level":"info","msg":"Child process [12] died"}',
  'Fatal Python error: Segmentation fault',
])('an error: %s', (line) => {
  expect(isUsualError(line)).toBe(true);
  expect(textsOfUsualErrors.some((text) => line.includes(text))).toBe(true);
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
  '{"level":"warning","message":"provider sent ERROR"}',
  '{"level":40,"msg":"provider sent ERROR"}',
  'WARNING:root:retrying after ERROR 429 from provider',
  '[2031-05-17 09:41:07,120: WARNING/MainProcess] no broker',
  'level=warn msg="provider sent ERROR"',
  '[warning  ] provider sent ERROR',
  '2026-11-16 15:00:00.123 | SUCCESS  | app:work:12 - replaced ERROR page', // loguru
  '127.0.0.1 - - [16/Nov/2026 15:00:00] "GET /ERROR HTTP/1.1" 200 -',
  '127.0.0.1 - - [17/May/2031:09:41:07 +0000] "GET /tickets?status=ERROR HTTP/1.1" 200 12 "-" "curl/8"',
  'GET /ERROR 200 3.1 ms - 12', // morgan
  'error: 0',
  'error: none',
  'Error: 0',
  'Errors: 0',
  'done, 0 errors',
  '2026-01-01T00:00:00.000Z info: error: refund lost was told before',
  '2026-01-01T00:00:00.000Z error: 0',
  'ValueError: it is the end of a traceback', // which has counted
  "TypeError: 'NoneType' object is not iterable",
  "TypeError: pay() missing 1 required positional argument: 'to'",
  'TypeError: unsupported operand type(s) for +',
  'SyntaxError: invalid syntax',
  'TypeError: Object of type set is not JSON serializable',
  'TypeError: Pay.__init__() missing 1 required positional argument',
  'sqlalchemy.exc.IntegrityError: (psycopg2.errors.UniqueViolation)',
  '    at Refunds.save (file:///app/refunds.mjs:4:5)',
  '\tat com.shop.Refunds.save(Refunds.java:41)',
  'Caused by: java.io.IOException: closed',
  '(node:12) [DEP0040] DeprecationWarning: The `punycode` module is deprecated.',
  '(node:12) Warning: Setting the NODE_TLS_REJECT_UNAUTHORIZED environment variable',
  'Trace: here',
  'ErrorHandler: installed',
  'TypeErrors are caught',
  'I1116 15:04:05.000000       1 main.go:12] no Error: here',
  'W1116 15:04:05.000000       1 main.go:12] slow',
  'org.springframework.boot.SpringApplication: started',
  'INFO[0000] listening', // logrus
  'WARN[0001] slow',
  '2031-05-17 09:41:07.120 UTC [12] LOG:  database system is ready to accept connections', // PostgreSQL
  '12:M 17 May 2031 09:41:07.120 * Ready to accept connections tcp', // Redis
  '2031/05/17 09:41:07 [notice] 1#1: start worker processes', // nginx
  '[2031-05-17 09:41:07 +0000] [12] [INFO] Listening at: http://127.0.0.1:8000 (12)', // gunicorn
  '2031-05-17T09:41:07.120Z  INFO 12 --- [main] com.shop.Refunds : Started', // Spring
  '2031-05-17T09:41:07.120Z  WARN 12 --- [main] com.shop.Refunds : java.io.IOException: ERROR', // Spring
  '2031/05/17 09:41:07 listening on :8080', // Go
  '2031-05-17T09:41:07.120Z  INFO refunds: ready',
  'System check identified no issues (0 silenced).', // Django
  'Not Found: /favicon.ico',
  'Error: none.',
  'error: null }',
  'warn: provider sent ERROR', // winston
  '2026-01-01T00:00:00.000Z warn: provider sent ERROR',
  '2026-01-01 00:00:00 [refunds] info: ERROR page rendered',
  'W1116 15:04:05.000000       1 main.go:12] provider sent ERROR', // klog
  'I1116 15:04:05.000000 140000 main.py:1] provider sent ERROR', // absl
  '{"level":"Warning","msg":"ERROR"}',
  '{"Level":"Warning","MessageTemplate":"provider sent ERROR"}',
  '[09:41:07 WRN] provider sent ERROR', // Serilog
  '9:41AM INF provider sent ERROR', // zerolog
  '{"message": "provider sent ERROR", "severity": "INFO"}', // Google Cloud
  '{"severity":"WARNING","message":"provider sent ERROR"}',
  '{"ctx":{"a":{"b":1}},"msg":"provider sent ERROR","level":"info"}',
  '{"log": {"level": "info"}, "message": "provider sent ERROR"}',
  'web-1  | {"level":"info","msg":"provider sent ERROR"}',
  "event='provider sent' level='info' answer='ERROR'",
  '(node:12) ExperimentalWarning: ERROR codes may change',
  '/app/x.py:3: DeprecationWarning: ERROR codes are deprecated',
  'LOG_LEVEL=ERROR',
  "  severity: 'ERROR',", // a field of an error of PostgreSQL, as Node prints it
  "    severity_local: 'ERROR',",
  '2031-05-17 09:41:07,120 root WARNING provider sent ERROR', // logging of Python, in forms that people choose
  '2031-05-17 09:41:07,120 - shop.refunds - WARNING - provider sent ERROR',
  '2031-05-17 09:41:07,120 MainThread WARNING provider sent ERROR',
  '09:41:07.120 [http-nio-8080-exec-1] WARN  c.s.Refunds - provider sent ERROR', // logback
  '[Nest] 12  - 05/17/2031, 9:41:07 AM     WARN [Refunds] provider sent ERROR',
  'May 17 09:41:07 host refunds[12]: WARNING provider sent ERROR', // syslog
  'I, [2031-05-17T09:41:07.120 #1]  INFO -- : provider sent ERROR', // Ruby
  '127.0.0.1 - - [17/May/2031:09:41:07 +0000] "GET /x?level=error HTTP/1.1" 200 12 "http://shop/?s=ERROR" "curl ERROR"',
  '{"L":"INFO","M":"provider sent ERROR"}', // zap
  '{"event": "provider sent { and ERROR", "level": "info"}',
  '{"event": "provider sent {\\"level\\":\\"error\\"}", "level": "info"}',
  '[2031-05-17 09:41:07 +0000] [13] [INFO] Worker exiting (pid: 13)', // gunicorn
  '[2031-05-17 09:41:07 +0000] [12] [WARNING] Worker with pid 13 was terminated due to signal 15',
  'INFO:     Terminated child process [12]', // uvicorn
  '2031/05/17 09:41:07 [notice] 12#12: signal 17 (SIGCHLD) received from 13', // nginx
  '2031/05/17 09:41:07 [notice] 12#12: worker process 13 exited with code 0',
  'PM2        | App [shop:0] exited with code [0] via signal [SIGINT]',
  'INFO the child process ended after signal 9 was asked for',
])('no error: %s', (line) => {
  expect(isUsualError(line)).toBe(false);
});
