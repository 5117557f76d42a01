import { darkColors, lightColors, fonts } from '../../../render/html/browser/colors-and-fonts.ts';
import { formStyle } from './form-style.ts';
import { runStyle } from './run-style.ts';
import { tableStyle } from './table-style.ts';

/**
 * Style of the pages: the colours and fonts of the page of a plan, which stands among them. A status has a word and a sign,
 * and its colour says the same.
 */
export const pageStyle = `
:root{color-scheme:light dark;${lightColors}--solid:#0550ae;--on-solid:#fff;
${fonts}}
@media (prefers-color-scheme:dark){:root{${darkColors};--solid:#1f6feb;--on-solid:#fff}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.5 var(--sans);-webkit-text-size-adjust:100%}
main,.bar>div{max-width:80rem;margin:0 auto;padding:0 1.5rem}
main{padding-top:1.25rem;padding-bottom:4rem}
main:focus{outline:none}
a{color:var(--link);text-decoration:none}
a:hover{text-decoration:underline}
p a,dd a,.trail a,.card a,.rows td a{text-decoration:underline;text-underline-offset:2px}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:3px}
.skip{position:absolute;left:-999px;background:var(--bg);padding:.5rem 1rem}
.skip:focus{left:1rem;top:1rem;z-index:3}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
[hidden]{display:none!important}
.bar{border-bottom:1px solid var(--line);background:var(--panel)}
.bar>div{display:flex;align-items:center;gap:.25rem 1.5rem;min-height:3.25rem;flex-wrap:wrap}
.bar ul{display:flex;flex-wrap:wrap;gap:.25rem;list-style:none;margin:0;padding:0}
.bar nav a{display:block;padding:.9rem .6rem .75rem;color:var(--dim);border-bottom:2px solid transparent}
.bar nav a:hover{color:var(--fg);text-decoration:none}
.bar nav a[aria-current]{color:var(--fg);font-weight:600;border-bottom-color:var(--link)}
.bar form{margin-left:auto}
.brand{font-weight:700;color:var(--fg);margin:0;display:flex;gap:.5rem;align-items:center}
.brand:hover{text-decoration:none}
.brand .sign{display:inline-grid;place-items:center;width:1.5rem;height:1.5rem;border-radius:5px;background:var(--solid);color:var(--on-solid);font-size:.9rem}
h1{font-size:1.5rem;line-height:1.3;margin:.25rem 0 1rem;overflow-wrap:anywhere}
h1 .badge{vertical-align:.2em;margin-left:.35rem}
h2{font-size:1.1rem;margin:2rem 0 .6rem}
p{margin:.4rem 0;overflow-wrap:anywhere}
code{font:.875em var(--mono);overflow-wrap:anywhere;unicode-bidi:isolate}
.dim,.hint,.trail{color:var(--dim)}
.trail{margin:0 0 .25rem;font-size:.875rem}
.head{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:start;justify-content:space-between;margin-bottom:.75rem}
.head h1,.head h2{margin:.1rem 0;min-width:0}
.actions{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
.badge{display:inline-block;padding:0 .55rem;border-radius:1rem;font:600 .8rem/1.55 var(--sans);white-space:nowrap;border:1px solid currentColor;color:var(--dim)}
.badge.good{color:var(--add);background:var(--add-bg)}.badge.bad{color:var(--del);background:var(--del-bg)}
.badge.warn{color:var(--chg);background:var(--chg-bg)}.badge.busy{color:var(--info);background:var(--info-bg)}
.callout{display:flex;flex-wrap:wrap;gap:.4rem 1rem;align-items:center;justify-content:space-between;margin:0 0 1rem;padding:.6rem 1rem;border:1px solid var(--line);border-left-width:4px;border-radius:6px;background:var(--panel)}
.callout.warn{border-left-color:var(--chg)}.callout.bad{border-left-color:var(--del)}.callout.busy{border-left-color:var(--info)}
.fault{padding:.6rem 1rem;border:1px solid var(--del);border-radius:6px;background:var(--del-bg);color:var(--del);margin:0 0 1rem}
.empty{padding:2.5rem 1.5rem;text-align:center;color:var(--dim);border:1px dashed var(--line);border-radius:8px}
.empty h2{margin-top:0;color:var(--fg)}
.card{margin:0 0 1rem;padding:1rem 1.25rem;border:1px solid var(--line);border-radius:8px}
.card h2{margin:0 0 .25rem}
.facts{display:flex;flex-wrap:wrap;gap:.6rem 2.25rem;margin:0 0 1rem}
.facts dt{color:var(--dim);font-size:.8rem}
.facts dd{margin:0;overflow-wrap:anywhere}
.names a{margin-right:.6rem}
.gauges{list-style:none;margin:.75rem 0;padding:0;display:grid;gap:.9rem 1.5rem;grid-template-columns:repeat(auto-fill,minmax(14rem,1fr))}
.gauge{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 .5rem}
.gauge .figures{color:var(--dim);font-variant-numeric:tabular-nums}
.gauge span:first-child::first-letter{text-transform:uppercase}
.gauge svg{flex:1 1 100%;width:100%;height:8px;border-radius:4px;margin-top:.2rem}
.gauge .track{fill:var(--line)}.gauge .used{fill:var(--link)}
.gauge.near .used{fill:var(--chg)}.gauge.full .used{fill:var(--del)}
.gauge.near .figures{color:var(--chg)}.gauge.full .figures{color:var(--del)}
${tableStyle}${formStyle}${runStyle}
@media (max-width:40rem){main,.bar>div{padding-left:.9rem;padding-right:.9rem}.bar nav{order:3;flex-basis:100%}
.bar nav a{padding:.4rem .6rem}.bar ul{margin-left:-.6rem}.facts{gap:.6rem 1.5rem}h1{font-size:1.3rem}}
`;
