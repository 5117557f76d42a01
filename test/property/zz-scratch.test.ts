import { fc } from '@fast-check/vitest';
import { test } from 'vitest';
import { hasErrors } from '/work/main/src/model/diagnostic.ts';
import { anyRoughStory, anyStory, tell } from '/work/main/test/support/arbitrary.ts';
import { changeLines, checkedPlanOf, taskLines } from '/work/main/test/support/plan-lines.ts';
import { applyPlan } from '/work/main/test/support/simulate.ts';
test('x', () => {
  const seen = new Map<string, number>();
  const examples = new Map<string, string>();
  const note = (k: string, s: unknown) => { seen.set(k, (seen.get(k) ?? 0) + 1); const t = JSON.stringify(s); if (!examples.has(k) || examples.get(k)!.length > t.length) examples.set(k, t); };
  for (const story of fc.sample(anyStory, { numRuns: Number(process.env.N ?? 5000), seed: Number(process.env.SEED ?? 1) })) {
    const world = tell(story);
    let plan;
    try { plan = checkedPlanOf(world); } catch (e) { note('plan: ' + String(e), story); continue; }
    for (const c of plan.changes) seen.set('action ' + c.action + ' ' + c.kind, (seen.get('action ' + c.action+ ' ' + c.kind) ?? 0) + 1);
    for (const t of plan.tasks) if (t.phase === 'prepare') seen.set('prepare '+t.commands.map(c=>c.kind).join(), (seen.get('prepare '+t.commands.map(c=>c.kind).join()) ?? 0) + 1);
    if (hasErrors(plan.findings)) { note('errors ' + plan.findings.filter(f=>f.severity==='error').map(f=>f.code).join(), story); continue; }
    try {
      const done = applyPlan(world, plan, (n) => Math.floor(Math.random() * n));
      const next = checkedPlanOf(done);
      if (changeLines(next).length + taskLines(next).length > 0) note('not empty ' + changeLines(next).join(';').replace(/\S*(blog|shop)\S*/g,'X'), story);
      else note('ok', 1);
    } catch (e) { note('apply: ' + String(e).slice(0, 60).replace(/\d+/g, 'N').replace(/(blog|shop)\S*/g,'X'), story); }
  }
  console.log([...seen].sort((a,b)=>b[1]-a[1]).map(x => x.join(' : ')).join('\n'));
  for (const [k, e] of examples) if (k!=='ok') console.log('\n', k, '\n', e);
}, 600000);
