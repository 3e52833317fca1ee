/** The styles of the coverage page, light and dark. */

export const coverageStyle = `
:root { color-scheme: light dark; --fg: #1c2024; --bg: #ffffff; --dim: #60646c; --line: #e0e3e7; --link: #0a58ca;
  --green: #1a7f37; --red: #c62828; --yellow: #9a6700; --cyan: #0b7285; --grey: #7d828a; --soft: #f4f6f8; }
@media (prefers-color-scheme: dark) { :root { --fg: #e6e9ec; --bg: #14171a; --dim: #9aa1a9; --line: #2c3238; --link: #7db4ff;
  --green: #46b464; --red: #f06a6a; --yellow: #d8a53a; --cyan: #45b8cc; --grey: #868d95; --soft: #1d2125; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.5rem 4rem; max-width: 76rem; color: var(--fg); background: var(--bg);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
h2 .dim { font-weight: normal; font-size: .9rem; }
header p { margin: .2rem 0; }
code { font: .88em ui-monospace, monospace; }
a { color: var(--link); }
.dim { color: var(--dim); fill: var(--dim); font-size: .92em; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--dim); font-weight: 500; font-size: .85rem; white-space: nowrap; }
td.id { white-space: nowrap; font: .88em/1.7 ui-monospace, monospace; }
tr:target { background: var(--soft); }
.pill { display: inline-block; white-space: nowrap; padding: .05rem .5rem; border-radius: 1rem; border: 1px solid currentColor; font-size: .85rem; }
.pill.covered { color: var(--green); } .pill.failed, .pill.orphaned { color: var(--red); }
.pill.unknown, .pill.skipped, .pill.not-executed { color: var(--yellow); }
.pill.pending { color: var(--cyan); } .pill.deferred { color: var(--grey); }
.evidence { font-size: .88rem; margin-top: .25rem; overflow-wrap: anywhere; }
ul { padding-left: 1.2rem; } li { margin: .35rem 0; } li.finding::marker { color: var(--red); } li.warning::marker { color: var(--yellow); }
details { margin-top: .2rem; font-size: .88rem; color: var(--dim); } dl { margin: .3rem 0; display: grid; grid-template-columns: max-content 1fr; gap: .2rem .8rem; }
dt { color: var(--dim); } dd { margin: 0; color: var(--fg); }
.grid { max-width: 100%; height: auto; margin-top: 1.5rem; } .grid .label { font: 600 13px ui-monospace, monospace; fill: var(--fg); }
.grid .label .dim { font-weight: normal; } .grid .mark { font: 12px system-ui, sans-serif; text-anchor: middle; fill: var(--bg); }
.grid rect.covered { fill: var(--green); } .grid rect.failed, .grid rect.orphaned { fill: var(--red); }
.grid rect.unknown, .grid rect.skipped, .grid rect.not-executed { fill: var(--yellow); } .grid rect.pending { fill: var(--cyan); }
.grid rect.deferred { fill: var(--soft); stroke: var(--line); } .grid .mark.deferred { fill: var(--dim); }
.legend .pill { margin: 0 .3rem .3rem 0; }
`;
