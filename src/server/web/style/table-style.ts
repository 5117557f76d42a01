/** Lists of workspaces, runs and workers: tables, and on a phone blocks. */
export const tableStyle = `
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
