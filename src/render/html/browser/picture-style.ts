/** Style of a graph's picture. A picture that a script moves is drawn in a window of its own. */
export const pictureStyle = `
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
