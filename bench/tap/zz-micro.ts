import { ConnectionWatch } from '../../src/taps/calls/connection-watch.ts';
import { EdgeCalls } from '../../src/taps/calls/edge-calls.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { printEvent, lastEvent, streamPath } from './http-wire.ts';
const path = process.argv[2] ?? streamPath;
const ev = printEvent(7);
const c = `${Buffer.byteLength(ev).toString(16)}\r\n${ev}\r\n`;
const N = 10000;
const all = Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n${c.repeat(N)}d\r\n${lastEvent.slice(0,13)}\r\n0\r\n\r\n`);
let cpuT=0, n=0;
for (let round=0; round<60; round++) {
  const calls = new EdgeCalls({from:'a',to:'b',clock:systemClock,emit:()=>undefined});
  const w = new ConnectionWatch(calls, 1);
  const body='{"stream":true}';
  w.sent.saw(Buffer.from(`POST ${path} HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`),0);
  const cpu0=process.cpuUsage();
  for (let at=0; at<all.length; at+=65536) w.received.saw(all.subarray(at, at+65536), 0);
  w.closed(0);
  const cpu=process.cpuUsage(cpu0);
  if(round>10){cpuT+=cpu.user+cpu.system;n+=N}
}
console.log((cpuT/n).toFixed(2)+' us/event cpu');
