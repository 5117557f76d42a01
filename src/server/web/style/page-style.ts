import {
  darkColorsCss,
  lightColorsCss,
  pageFontsCss,
} from '../../../render/html/browser/colors-and-fonts.ts';

/** CSS of forms, buttons and fields. */
const formStyle = `
button,.button{display:inline-block;font:inherit;font-weight:600;font-size:.9rem;line-height:1.4;padding:.35rem .9rem;border:1px solid var(--line);border-radius:6px;background:var(--panel);color:var(--fg);cursor:pointer}
button:hover,.button:hover{border-color:var(--dim);text-decoration:none}
.button,p .button{text-decoration:none}
.primary,button.primary{background:var(--solid);border-color:var(--solid);color:var(--on-solid)}
.primary:hover{filter:brightness(1.1)}
.danger,button.danger{color:var(--del);border-color:var(--del);background:none}
.danger:hover{background:var(--del-bg)}
button.quiet{background:none;border-color:transparent;font-weight:400;color:var(--dim)}
button.quiet:hover{color:var(--fg);border-color:var(--line)}
input,textarea,select{font:inherit;color:inherit;padding:.35rem .6rem;border:1px solid var(--dim);border-radius:6px;background:var(--bg);max-width:100%}
input[type=checkbox]{width:1rem;height:1rem;margin:0;accent-color:var(--solid)}
input::placeholder,textarea::placeholder{color:var(--dim);opacity:1}
textarea{font:.875rem/1.5 var(--mono);width:100%;resize:vertical}
.form,.sign-in{max-width:44rem}
.form p>select{display:block;min-width:16rem}
.form p>input:not([type=checkbox]),.sign-in p>input{display:block;width:100%}
.form label,.sign-in label{font-weight:600;font-size:.9rem}
.form p,.sign-in p{margin:0 0 1rem}
.hint{display:block;font-size:.85rem}
.check{display:flex;gap:.5rem;align-items:center}
.form .check label,label.check{font-weight:400;font-size:inherit}
.pair{display:grid;gap:0 1rem;grid-template-columns:1fr 1fr;align-items:start}
fieldset{min-width:0;margin:1.5rem 0;padding:1rem 1.25rem .25rem;border:1px solid var(--line);border-radius:8px}
legend{font-weight:700;padding:0 .4rem}
.variables{width:100%;border-collapse:collapse;margin-bottom:1rem}
.variables th,.variables td{text-align:left;font-weight:400;padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line)}
.variables td:nth-child(2){width:50%}.variables input[type=password]{width:100%}
.sign-in{max-width:26rem;margin:8vh auto 0}
.sign-in button{width:100%;padding:.5rem}
.sign-in .wide{display:block;text-align:center;padding:.5rem}
.sign-in .hint{margin-top:1.5rem}
.approval textarea{margin:.25rem 0 .75rem}
.decisions{list-style:none;margin:.5rem 0;padding:0}
.decisions li{margin:.4rem 0;overflow-wrap:anywhere}
.more{margin:1rem 0}
.more summary{cursor:pointer;color:var(--link)}
.more .form{margin-top:1rem}
.danger-zone{margin-top:2.5rem;padding:.75rem 1rem;border:1px solid var(--line);border-radius:8px}
.danger-zone summary{cursor:pointer;color:var(--del);font-weight:600}
.danger-zone form{margin-top:.75rem}
.line{display:flex;flex-wrap:wrap;gap:.5rem;margin:.5rem 0 .25rem}
.line input{flex:0 1 20rem}
@media (max-width:40rem){.pair{grid-template-columns:1fr}
.variables,.variables tbody,.variables tr,.variables th,.variables td{display:block;width:auto!important;border:0;padding:.15rem 0}
.variables tr{border-bottom:1px solid var(--line);padding:.4rem 0}}
`;

/** Lists of workspaces, runs and workers: tables, and on a phone blocks. */
const tableStyle = `
.tools{display:flex;flex-wrap:wrap;gap:.6rem 1.25rem;align-items:center;margin:0 0 .9rem}
.find{display:flex;gap:.5rem;flex:0 1 24rem}
.find input{flex:1;min-width:6rem}
.chips{display:flex;flex-wrap:wrap;gap:.4rem;list-style:none;margin:0;padding:0}
.chip{display:inline-block;padding:.2rem .7rem;border:1px solid var(--line);border-radius:1rem;color:var(--fg);font-size:.875rem}
.chip:hover{text-decoration:none;border-color:var(--dim)}
.chip b{font-variant-numeric:tabular-nums;color:var(--dim);margin-left:.15rem}
.chip[aria-current]{border-color:var(--link);box-shadow:inset 0 0 0 1px var(--link);background:var(--info-bg)}
.chip.good .mark{color:var(--add)}.chip.bad .mark{color:var(--del)}.chip.warn .mark{color:var(--chg)}.chip.busy .mark{color:var(--info)}
.rows{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
.rows th,.rows td{text-align:left;padding:.5rem .9rem .5rem 0;border-bottom:1px solid var(--line);vertical-align:top}
.rows thead th{font-size:.8rem;font-weight:600;color:var(--dim);padding-top:.2rem}
.rows tbody th{font-weight:600}
.rows tbody tr:hover{background:var(--panel)}
.rows td:last-child,.rows th:last-child{padding-right:0}
.rows time,.rows .took,.rows td:nth-child(2) .badge{white-space:nowrap}
.rows .badge{font-size:.75rem}
.workspaces td:first-child,.workspaces th:first-child{width:9.5rem}
.workspaces td:last-child,.workspaces th:last-child{width:6rem}
.workspaces td:nth-child(3){width:22rem}
.workspaces .place,.audit .place{display:block;color:var(--dim);font-size:.875rem;font-weight:400;overflow-wrap:anywhere}
.workspaces .next{display:block;font-size:.875rem;font-weight:600}
.audit td:nth-child(4){overflow-wrap:anywhere}
.runs th[scope=row]{white-space:nowrap}
.runs .reason{overflow-wrap:anywhere;min-width:9rem}
.runs .took,.runs th:last-child{text-align:right}
.paging{display:flex;gap:.75rem;align-items:center;margin:1rem 0}
.paging span{margin-right:auto}
@media (max-width:48rem){.rows,.rows tbody{display:block}.rows thead{display:none}
.rows tr{display:flex;flex-wrap:wrap;gap:.15rem .75rem;align-items:baseline;padding:.65rem 0;border-bottom:1px solid var(--line)}
.rows tbody th,.rows td{display:block;padding:0;border:0;width:auto!important}.rows td:empty{display:none}
.workspaces th[scope=row]{order:-1;flex:1 1 100%}.workspaces td:nth-child(3){order:3;flex:1 1 100%}
.workspaces td:last-child{margin-left:auto}
.runs td:nth-child(3),.runs .reason{flex:1 1 100%}.runs .took::before{content:"took ";color:var(--dim)}}
`;

/** The page of a run: its progress, timeline and log, and the frame with its plan. */
const runStyle = `
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

/**
 * CSS of the server's pages, with the colours and fonts of the plan's page that is framed in them. A status also has a word and a
 * sign, so that colour alone never carries it.
 */
export const serverPageStyle = `
:root{color-scheme:light dark;${lightColorsCss}--solid:#0550ae;--on-solid:#fff;
${pageFontsCss}}
@media (prefers-color-scheme:dark){:root{${darkColorsCss};--solid:#1f6feb;--on-solid:#fff}}
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
