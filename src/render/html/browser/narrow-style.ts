/** The style of a page on a phone: blocks that stand side by side elsewhere stand one below the other. */
export const narrowStyle = `
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
.counts td:not(.kinds)::before{content:attr(data-head) " "}.counts td.none{display:none}
.quotas td::before,.counts td::before,.times td::before{color:var(--dim)}
.quotas td:nth-child(6),.counts .kinds,.times .bar{flex:1 1 100%}}
`;
