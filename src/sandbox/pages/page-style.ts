/** CSS colours of a page in light mode, and always in print. */
const lightColors = `--paper: #f6f7f9; --card: #fff; --ink: #1b2430; --soft: #55606e; --line: #d8dde4;
  --accent: #1d5fa8; --good: #17703a; --busy: #8a5300; --bad: #b3261e;`;

/**
 * Style sheet of the sandbox's web pages, for light and dark mode, wide and narrow windows, and paper; no state is
 * shown by colour alone.
 */
export const sandboxLivePageStyle = `
:root {
  color-scheme: light dark;
  ${lightColors}
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12161c; --card: #1b212a; --ink: #e7ebf0; --soft: #a3afbd; --line: #323b47;
    --accent: #7cb8f5; --good: #6fd394; --busy: #f0b75b; --bad: #ff9489;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
header, main, noscript { display: block; max-width: 72rem; margin: 0 auto; padding: 0 1rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: baseline; padding-top: 1.25rem; }
header p { margin: 0; color: var(--soft); }
#said { flex-basis: 100%; color: var(--ink); min-height: 1.5em; }
.lost #said { color: var(--bad); font-weight: 600; }
.lost main { opacity: .55; }
.sum { display: none; }
h1 { font-size: 1.35rem; margin: 0; }
h2 { font-size: 1.05rem; margin: 1.75rem 0 .6rem; }
h3 { font-size: 1rem; margin: 0; }
small { font-weight: 400; color: var(--soft); }
a { color: var(--accent); }
a:focus-visible, .wide:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code { font: .85em ui-monospace, monospace; color: var(--soft); overflow-wrap: anywhere; }
ul { list-style: none; margin: 0; padding: 0; }
.none, .held { color: var(--soft); margin: .3rem 0; }
.gauges { display: grid; gap: .6rem; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); }
.gauge, article, .wide, .news { background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
.gauge { padding: .55rem .75rem; display: grid; grid-template-columns: 1fr auto; gap: .1rem .5rem; }
.figures { color: var(--soft); white-space: nowrap; font-variant-numeric: tabular-nums; }
.short .figures { color: var(--busy); }
.full .figures { color: var(--bad); }
progress, .bar { appearance: none; width: 100%; height: 8px; border: 0; border-radius: 4px;
  background: var(--line); overflow: hidden; }
.bar { grid-column: 1 / -1; margin-top: .2rem; }
.bar i { display: block; height: 100%; background: var(--accent); }
progress::-webkit-progress-value { background: var(--accent); border-radius: 4px; }
progress::-webkit-progress-bar { background: var(--line); }
progress::-moz-progress-bar { background: var(--accent); }
.short .bar i { background: var(--busy); }
.full .bar i { background: var(--bad); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .4rem .75rem; white-space: nowrap; }
thead th { color: var(--soft); font-weight: 500; border-bottom: 1px solid var(--line); }
tbody th { font-weight: 600; }
td progress { min-width: 8rem; }
@media (max-width: 40rem) {
  .wide table, .wide tbody, .wide tr { display: block; }
  .wide thead { display: none; }
  .wide tr { display: flex; flex-wrap: wrap; gap: .1rem .75rem; padding: .5rem .75rem; }
  .wide tr + tr { border-top: 1px solid var(--line); }
  .wide th, .wide td { padding: 0; white-space: normal; overflow-wrap: anywhere; }
  .wide td:nth-child(4) { flex: 1 1 100%; }
}
article { padding: .75rem; margin-bottom: .75rem; }
.vms { display: grid; gap: .5rem; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); margin-top: .5rem; }
.vm { display: grid; padding: .5rem .65rem; border: 1px solid var(--line); border-left: 4px solid var(--busy);
  border-radius: 6px; }
.vm span { color: var(--soft); font-size: .9rem; }
.vm .state { color: var(--busy); font-weight: 600; }
.vm.active { border-left-color: var(--good); }
.vm.active .state { color: var(--good); }
.vm.stopped { border-left-color: var(--soft); }
.vm.stopped .state { color: var(--soft); }
.vm.failed { border-left-color: var(--bad); }
.vm.failed .state { color: var(--bad); }
.news { padding: .4rem .75rem; margin-bottom: 2rem; }
.news li { padding: .15rem 0; }
.news time { color: var(--soft); font-variant-numeric: tabular-nums; }
.news strong { font-weight: 400; }
.news .operationFailed strong, .news .quotaLow strong { font-weight: 600; }
.news .operationFailed strong { color: var(--bad); }
.news .quotaLow strong { color: var(--busy); }
@media print {
  :root { color-scheme: light; ${lightColors} }
  @page { margin: 14mm 12mm; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  body { background: none; font-size: 9pt; }
  header, main { max-width: none; padding: 0; }
  .sum { display: block; }
  #said { display: none; }
  .vm, .gauge, .news li, tr { break-inside: avoid; }
  h2, h3, h3 ~ .held { break-after: avoid; }
}
`;
