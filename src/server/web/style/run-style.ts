/** The page of a run: its progress, timeline and log, and the frame with its plan. */
export const runStyle = `
.compared{margin:0 0 1rem}
.compared summary{cursor:pointer;color:var(--link)}
.compared ul{margin:.4rem 0;padding-left:1.25rem}
.log{margin:0 0 1rem;border:1px solid var(--line);border-radius:8px}
.log summary{cursor:pointer;padding:.5rem 1rem}
.log summary h2{display:inline;margin:0;font-size:1rem}
.follow{margin:0;padding:0 1rem .5rem;font-size:.875rem}
.lines{max-height:32rem;overflow:auto;padding:.6rem 1rem;border-top:1px solid var(--line);background:var(--panel);border-radius:0 0 8px 8px}
#log{font:.8125rem/1.5 var(--mono);white-space:pre-wrap;overflow-wrap:anywhere}
#log div{unicode-bidi:plaintext;content-visibility:auto;contain-intrinsic-block-size:auto 1.25rem}
#log .error{color:var(--del);font-weight:600}
#log .warning{color:var(--chg);font-weight:600}
#log .server{color:var(--info)}
#live{margin:0}
#progress{flex:1 1 12rem;max-width:24rem;height:.75rem;accent-color:var(--info)}
.timeline summary .dim{font-size:.875rem;margin-left:.5rem}
.timeline table{min-width:40rem}
.timeline tbody th{font-weight:400;overflow-wrap:anywhere}
.timeline td:nth-child(3),.timeline td:nth-child(4){white-space:nowrap}
.timeline .bar{width:35%}
.timeline svg{display:block;width:100%;height:12px;margin-top:.35rem}
.timeline rect{fill:var(--info)}.timeline .failed{fill:var(--del)}.timeline .interrupted{fill:var(--chg)}
.report .head{align-items:baseline;margin-bottom:.5rem}
.report iframe{display:block;width:100%;height:calc(100vh - 4rem);min-height:32rem;border:1px solid var(--line);border-radius:8px;background:var(--bg)}
@media (max-width:48rem){.timeline table{min-width:0}.timeline .bar{flex:1 1 100%;min-width:12rem}}
@media (max-width:40rem){.lines{padding:.5rem .6rem}#log{font-size:.75rem}.report iframe{margin:0 -.9rem;width:calc(100% + 1.8rem);border-radius:0;border-left:0;border-right:0}}
`;
