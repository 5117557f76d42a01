import type { Finding } from '../../src/model/diagnostic.ts';
import { checkedPlanOf } from './plan-lines.ts';
import type { World } from './world.ts';

/** What one check, or a family of them, says of a world: findings by the beginning of their code. */
export const findingsOf = (world: World, code: string): readonly Finding[] =>
  checkedPlanOf(world).findings.filter((finding) => finding.code.startsWith(code));
