import { darkColorsCss, lightColorsCss, pageFontsCss } from './browser/colors-and-fonts.ts';

/**
 * A page on paper: light in any colour scheme of the system, with its grounds, everything open, no change torn in two where
 * it fits on a page, and the graph as large as the paper.
 */
const printStyle = `
@media print{
:root{${lightColorsCss}color-scheme:light}
@page{margin:14mm 12mm}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
html{font-size:8.5pt}body{font-size:8.5pt;line-height:1.4}
.diff th,.diff td{padding-top:0;padding-bottom:0}
.changes summary,.group>summary{padding-top:.2rem;padding-bottom:.2rem}.changes li{margin:.3rem 0}
header,main,footer{max-width:none;padding:0}header{padding-top:0}
.filters,.empty,.members,.picture~.fold,.same-switch,#unchanged,#only-changes,.zoom,nav,.skip{display:none!important}
details::details-content{content-visibility:visible!important;display:block!important;height:auto!important}
summary::before{display:none}
a{color:inherit;text-decoration:none}
h2{margin-top:1.5rem}
h2,h3,h4,summary,thead,.key{break-after:avoid}
.changes li,.finding,.tile,.key,.quotas tr,.counts tr,.times tr,.diff tr,.frame{break-inside:avoid}
.changes li{content-visibility:visible}
.scroll,.scroll.long,.frame{overflow:visible;max-height:none}.frame{white-space:pre-wrap}
.long thead th{position:static}
.values th,.values td{white-space:normal}
.picture{overflow:visible!important;max-height:none;border:0;padding:0;break-inside:avoid}
.picture svg,.picture.live svg{width:auto!important;height:auto!important;max-width:100%!important;max-height:205mm}
.lighting .node,.lighting .edge{opacity:1}
}
`;

/** The style of a page on a phone: blocks that stand side by side elsewhere stand one below the other. */
const narrowStyle = `
@media screen and (max-width:60rem){.times .bar{width:22%;min-width:6rem}}
@media screen and (max-width:40rem){header,main,footer{padding-left:.9rem;padding-right:.9rem}
.changes .reason,.changes .loses{padding-left:.8rem}.members{padding-left:.6rem}
.group.outer>.group.inner,.group.outer>.changes{margin-left:0}
.tile{flex-basis:6.5rem}
html{scroll-padding-top:7rem}
.tools{gap:.4rem .6rem}.tools .find{flex-basis:100%}.tools .shown{flex:1}
.more>p{flex:1 1 9rem}.more select{width:100%}.more .buttons,.more .keys{flex-basis:100%}
.changes summary{display:block;padding-left:.6rem}.changes summary>*,.changes summary::before{margin-right:.35rem}
.diff,.diff tbody,.diff tr,.diff th,.diff td{display:block}
.diff thead,.diff td:empty,.diff.both td:not(.old,.new,[colspan])+td:not(.old,.new){display:none}
.diff th:first-child{width:auto;padding:.35rem .8rem 0;border:0;font-weight:600}
.diff td{padding:.1rem .8rem .1rem 1.4rem;border:0}
.diff .same{display:none}#unchanged:checked~.tree .diff .same{display:block}
#unchanged:checked~.tree .hidden-count{display:none}
.hidden-count td{padding-left:.8rem!important}
.quotas,.quotas tbody,.counts,.counts tbody,.times,.times tbody{display:block}
.quotas thead,.counts thead,.times thead{display:none}
.quotas tr,.counts tr,.times tr{display:flex;flex-wrap:wrap;gap:.1rem .9rem;padding:.5rem 0;border-bottom:1px solid var(--line)}
.quotas tbody th,.counts tbody th,.times tbody th{flex:1 1 100%;padding:0!important;border:0!important;font-weight:600}
.quotas td,.counts td,.times td{padding:0!important;border:0!important;width:auto!important;text-align:left!important}
.quotas td:nth-child(2)::before{content:"now "}.quotas td:nth-child(3)::before{content:"peak "}
.quotas td:nth-child(4)::before{content:"after "}.quotas td:nth-child(5)::before{content:"limit "}
.times td:nth-child(3)::before{content:"waited "}.times td:nth-child(4)::before{content:"ran "}
.outages td:nth-child(3)::before{content:"from "}.outages td:nth-child(4)::before{content:"for "}
.counts td:not(.kinds)::before{content:attr(data-head) " "}.counts td.none{display:none}
.quotas td::before,.counts td::before,.times td::before{color:var(--dim)}
.quotas td:nth-child(6),.counts .kinds,.times .bar{flex:1 1 100%}}
`;

/** Style of a graph's picture. A picture that a script moves is drawn in a window of its own. */
const pictureStyle = `
.picture{margin:0;overflow:auto;max-height:48rem;border:1px solid var(--line);border-radius:8px;padding:.75rem}
.picture svg{display:block;margin:0 auto;max-width:100%;height:auto}
.picture.live{cursor:grab;touch-action:pan-x pan-y}.picture.live:active{cursor:grabbing}
.picture.live svg{max-width:none;height:revert-layer}
.picture a[href]{cursor:pointer}.picture a[href]:hover text,.picture a:focus-visible text{text-decoration:underline}
.picture a:focus-visible{outline:none}.picture a:focus-visible path{stroke-width:3;stroke:var(--focus)}
.lighting .node,.lighting .edge{opacity:.2}.lighting .lit{opacity:1}
.lighting .edge.lit path{stroke:var(--fg);stroke-width:1.5}.lighting .edge.lit polygon{fill:var(--fg);stroke:var(--fg)}
#only-changes:checked~.picture.whole,#only-changes:not(:checked)~.picture.part{display:none}
.zoom{display:flex;flex-wrap:wrap;gap:.4rem;align-items:center;margin:.6rem 0}
.zoom button{min-width:2.4rem;height:2.2rem}.zoom .keys{flex:1 1 14rem;padding-left:.5rem}
.picture text{fill:var(--fg)}
.picture .graph>polygon{fill:none}
.picture .cluster path{stroke:var(--line)}
.picture .edge path{stroke:var(--dim)}.picture .edge polygon{fill:var(--dim);stroke:var(--dim)}
.picture .node path{fill:var(--bg);stroke:var(--dim)}
.picture .create path{fill:var(--add-bg);stroke:var(--add)}
.picture .update path{fill:var(--chg-bg);stroke:var(--chg)}
.picture .delete path,.picture .replace path,.picture .rebuild path,.picture .create-first path{fill:var(--del-bg);stroke:var(--del)}
.picture .import path,.picture .move path,.picture .forget path{fill:var(--info-bg);stroke:var(--info)}
`;

/**
 * CSS of a report page. An action is shown by colour and by a sign; text keeps a contrast of 4.5 : 1 in the light and
 * in the dark scheme. Changes are blocks, not list items: hiding thousands of list items takes a browser half a minute,
 * since it numbers them anew for each.
 */
export const reportStyle = `
:root{${lightColorsCss}
${pageFontsCss}}
@media (prefers-color-scheme:dark){:root{${darkColorsCss}}}
*{box-sizing:border-box}
html{scroll-padding-top:4.5rem}
body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.55 var(--sans);-webkit-text-size-adjust:100%}
header,main,footer{max-width:72rem;margin:0 auto;padding:0 1.5rem}
header{padding-top:2rem}
h1{font-size:1.6rem;line-height:1.25;margin:0;overflow-wrap:anywhere}
h1 code{font-size:.95em}h1 .verdict.loss,h1 .verdict.error{color:var(--del)}h1 .verdict.fine{color:var(--add)}
h1 .where{font-size:1rem;font-weight:400;color:var(--dim)}
.banner{margin:1.5rem 0 0;padding:.6rem 1rem;border:2px solid var(--del);border-radius:8px;background:var(--del-bg);color:var(--del)}
.banner p:first-child{font-size:1.1rem;font-weight:700}
h2{font-size:1.15rem;margin:2.5rem 0 .75rem;padding-bottom:.35rem;border-bottom:1px solid var(--line)}
h3{font-size:1rem;margin:0 0 .35rem;overflow-wrap:anywhere}
p{margin:.35rem 0;overflow-wrap:anywhere}
a{color:var(--link)}
code,pre,.diff,.sym{font-family:var(--mono);font-size:.875em}
code{overflow-wrap:anywhere;unicode-bidi:isolate}
h3 code,.diff code{font-size:1em}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:3px}
main:focus{outline:none}
[hidden]{display:none!important}
input::placeholder{color:var(--dim);opacity:1}
.skip{position:absolute;left:-999px;background:var(--bg);padding:.5rem 1rem}
.skip:focus{left:1rem;top:1rem;z-index:1}
.facts,.key,.reason,.place,footer{color:var(--dim)}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:.9rem 0 0;padding:0}
footer{margin-top:3rem;padding-top:1rem;padding-bottom:2rem;font-size:.875rem}
.scroll{overflow-x:auto}
.scroll.long{max-height:36rem;overflow-y:auto}.long thead th{position:sticky;top:0;background:var(--bg)}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th{text-align:left;font-weight:600}
thead th{color:var(--dim);font:600 .8rem var(--sans)}
.counts,.quotas,.times{width:100%}
.counts td,.counts th,.quotas td,.quotas th,.times td,.times th{padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line);vertical-align:middle}
.counts td:not(.kinds),.counts thead th:nth-child(n+2):not(.kinds),
.quotas td:nth-child(-n+5),.quotas thead th:nth-child(n+2):nth-child(-n+5){text-align:right;width:5rem}
.counts td.kinds{padding-left:1.5rem;min-width:10rem}.counts thead th.kinds,.quotas td:nth-child(6),.quotas thead th:nth-child(6){padding-left:1.5rem}
.counts tbody th,.times tbody th{font-family:var(--mono);font-weight:400;font-size:.875em;overflow-wrap:anywhere;min-width:12rem}
.quotas tbody th{font-weight:400;white-space:nowrap}
.quotas strong{white-space:nowrap}.quotas strong,tr.over td:nth-child(4){color:var(--del)}
.closing-counts,.closing-verdict{font-size:1.1rem;font-weight:600}
.closing-verdict.bad{color:var(--del)}
dl.words{margin:.75rem 0}.words dt{font-weight:600;margin-top:.5rem}.words dd{margin:0;overflow-wrap:anywhere}
.tiles{list-style:none;display:flex;flex-wrap:wrap;gap:.75rem;margin:1rem 0;padding:0}
.tile{flex:1 1 7.5rem;padding:.7rem .9rem;border:1px solid var(--line);border-radius:8px;background:var(--panel);white-space:nowrap}
.tile b{font-size:1.5rem;line-height:1.2;font-variant-numeric:tabular-nums}
.tile span:last-child{display:block;white-space:normal;color:var(--dim);font-size:.875rem}
.sym{display:inline-block;min-width:2.1em;text-align:center;font-weight:700;padding:0 .25em;border-radius:4px;white-space:nowrap}
.sym.create{color:var(--add);background:var(--add-bg)}
.sym.update,.sym.drift{color:var(--chg);background:var(--chg-bg)}
.sym.delete,.sym.gone,.sym.replace,.sym.create-first,.sym.rebuild{color:var(--del);background:var(--del-bg)}
.sym.import,.sym.move,.sym.forget{color:var(--info);background:var(--info-bg)}
.tag{display:inline-block;margin-left:.5rem;padding:0 .45rem;border:1px solid currentColor;border-radius:1rem;font:600 .75rem/1.5 var(--sans);color:var(--info);white-space:normal}
.tag.loss,.tag.forces{color:var(--del)}.tag.drift{color:var(--chg)}
.finding{margin:.75rem 0;padding:.75rem 1rem;border:1px solid var(--line);border-left:4px solid var(--info);border-radius:6px}
.finding.error{border-left-color:var(--del)}.finding.error .severity{color:var(--del)}
.finding.warning{border-left-color:var(--chg)}.finding.warning .severity{color:var(--chg)}
.finding.loss{border-left-color:var(--del)}.finding.loss .severity{color:var(--del)}
.finding.note .severity{color:var(--info)}
.code{color:var(--dim);font-weight:400}
.frame{overflow-x:auto;margin:.5rem 0;padding:.6rem .8rem;background:var(--panel);border-radius:6px;line-height:1.45}
.frame b{color:var(--del)}
.filters{display:contents}
.filters p{margin:0}
.tools{position:sticky;top:0;z-index:2;display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;padding:.6rem 0;background:var(--bg);border-bottom:1px solid var(--line)}
.tools .find{flex:1 1 14rem;display:flex;align-items:center;gap:.6rem}
.tools .find input{flex:1;min-width:6rem}
.more{display:flex;flex-wrap:wrap;gap:.6rem 1rem;align-items:end;padding:.75rem 0}
.filters label{font-size:.8rem;font-weight:600}
.more>p{min-width:0}.more>p>label{display:block}
.filters input[type=search],.filters select,.filters button,.empty button{height:2.2rem}
.filters select{min-width:9rem;max-width:100%}
.filters fieldset{flex:1 1 100%;display:flex;flex-wrap:wrap;gap:.4rem;margin:0;padding:0;border:0}
.filters legend{font-size:.8rem;font-weight:600;padding:0;margin-bottom:.25rem}
.filters .chip{display:inline-flex;align-items:center;gap:.4rem;padding:.2rem .7rem .2rem .5rem;border:1px solid var(--line);border-radius:1rem;background:var(--bg);font-weight:400;font-size:.875rem}
.keys{flex:1 1 100%;color:var(--dim);font-size:.8rem}
kbd{font:.85em var(--mono);padding:0 .35em;border:1px solid var(--line);border-radius:4px;background:var(--panel)}
.empty{padding:1.5rem;text-align:center;color:var(--dim);border:1px dashed var(--line);border-radius:6px}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.tree{margin-top:.75rem}
.group{margin:.5rem 0}
.group>summary{display:flex;flex-wrap:wrap;align-items:baseline;gap:.15rem .8rem;padding:.45rem .6rem;cursor:pointer;border-radius:6px;background:var(--panel)}
.group.inner>summary{background:none;padding-left:0}
.group>summary h3,.group>summary h4{display:inline;margin:0;font-size:.95rem}
.group>summary::before{content:"▸";color:var(--dim);width:.8em}
.group[open]>summary::before{content:"▾"}
.group>summary::-webkit-details-marker{display:none}
.group.outer>.group.inner,.group.outer>.changes{margin-left:.9rem}
.count{color:var(--dim)}
.shown{font-weight:600}
input,select,button{font:inherit;color:inherit}
input[type=search],select,button{padding:.35rem .6rem;border:1px solid var(--dim);border-radius:6px;background:var(--bg)}
.buttons{display:flex;flex-wrap:wrap;gap:.5rem}
button{cursor:pointer}
.changes{list-style:none;margin:.4rem 0 0;padding:0}
.changes li{display:block;border:1px solid var(--line);border-radius:6px;margin:.4rem 0}
.many li{content-visibility:auto;contain-intrinsic-block-size:auto 2.7rem}
.changes summary{display:flex;flex-wrap:wrap;align-items:baseline;gap:.15rem .6rem;padding:.5rem .8rem;cursor:pointer}
.changes summary::before{content:"▸";color:var(--dim);width:.8em}
.changes details[open]>summary::before{content:"▾"}
.changes summary::-webkit-details-marker{display:none}
.changes summary code{font-weight:600}
.changes li[aria-current]{border-color:var(--focus);box-shadow:0 0 0 1px var(--focus)}
.words{color:var(--dim)}
.tag{margin-left:0}
.changes .reason,.changes .loses{padding:0 .8rem 0 2.2rem}
.loses,.losses{color:var(--del)}
.fold>summary{cursor:pointer;padding:.3rem 0}
.diff{width:100%;table-layout:fixed;border-top:1px solid var(--line);margin-top:.3rem}
.diff th,.diff td{padding:.18rem .8rem;vertical-align:top}
.diff th:first-child{width:15rem;padding-left:2.2rem}
.diff tbody th{font-weight:400;overflow-wrap:anywhere;border-right:1px solid var(--line)}
.diff tbody th .tag{display:block;width:fit-content;max-width:100%;margin:.15rem 0}
.diff td{white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:plaintext;text-align:left;border-left:1px solid var(--line)}
.diff .old{background:var(--del-bg)}.diff .new{background:var(--add-bg)}
.diff .old::before{content:"- ";color:var(--del)}.diff .new::before{content:"+ ";color:var(--add)}
.diff mark{color:inherit;border-radius:2px}.diff .old mark{background:var(--del-mark)}.diff .new mark{background:var(--add-mark)}
.diff .follows td{padding-left:2.2rem;font-family:var(--sans)}
.diff .remark{color:var(--dim);font-style:italic}
.diff .same{display:none;color:var(--dim)}
.hidden-count td{color:var(--dim);padding-left:2.2rem!important;font-family:var(--sans)}
#unchanged:checked~.tree .diff .same{display:table-row}
#unchanged:checked~.tree .hidden-count{display:none}
#unchanged{margin:.9rem .3rem 0 0}.same-switch{font-size:.875rem}
.gauge{display:inline-block;vertical-align:middle;max-width:100%}
.gauge .track{fill:var(--panel);stroke:var(--line)}
.gauge .solid{fill:var(--add)}.near .solid{fill:var(--chg)}.over .solid{fill:var(--del)}
.gauge .added{fill:var(--add);fill-opacity:.4;stroke:var(--add);stroke-dasharray:2 2}
.near .added{fill:var(--chg);stroke:var(--chg)}.over .added{fill:var(--del);stroke:var(--del)}
.gauge .freed{fill:none;stroke:var(--dim);stroke-dasharray:2 2}
.gauge .peak{stroke:var(--fg);stroke-width:2}
.times td:nth-child(n+2):nth-child(-n+4){text-align:right;white-space:nowrap}
.times .bar{width:40%;min-width:10rem;padding-right:0}
.times .bar svg{display:block;width:100%;height:14px}
.times .wait{fill:var(--line)}.times .run{fill:var(--info)}.times .failed{fill:var(--del)}
.critical .run{fill:var(--chg)}
.critical th::before{content:"◆ ";color:var(--chg)}
.failed td,.unknown td{color:var(--del)}
.members{padding:0 .8rem .5rem 2.2rem}.values th,.values td{padding:.1rem 1.2rem .1rem 0;font-family:var(--mono);font-weight:400;font-size:.8125rem;white-space:nowrap}
${narrowStyle}${pictureStyle}${printStyle}`;
