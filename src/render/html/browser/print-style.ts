import { lightColors } from './colors-and-fonts.ts';

/**
 * A page on paper: light in any colour scheme of the system, with its grounds, everything open, no change torn in two where
 * it fits on a page, and the graph as large as the paper.
 */
export const printStyle = `
@media print{
:root{${lightColors}color-scheme:light}
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
