import { operationIds } from '../../api/contract/operation-ids.ts';
import { routes, type OperationId } from '../../api/contract/routes.ts';
import { fitsPattern } from './match-condition.ts';
import type { ScriptPath, ScriptReader } from './script-reader.ts';
import type { FaultCondition, FaultRule } from './script.ts';

/** Refuses a rule that no request of the contract can ever meet: it would look like a fault that did no harm. */
export function refuseIdle(
  reader: ScriptReader,
  { when, then }: Pick<FaultRule, 'when' | 'then'>,
  path: ScriptPath,
): void {
  const at = (key: string) => [...path, 'when', key];
  const { nth, every = 1, afterMs = 0, untilMs = Infinity } = when;
  const concerned = operationIds.filter((id) => mayConcern(when, id));
  if (concerned.length === 0) {
    const key = when.path !== undefined ? 'path' : 'method';
    reader.refuse(at(key), 'matches no operation of the contract with the rest of `when`.');
  } else if (then.kind === 'fail' || then.kind === 'slow') {
    if (concerned.some((id) => routes[id].success === 202)) return;
    const named = concerned.length > 3 ? 'those of `when`' : concerned.join(', ');
    const start = concerned.length === 1 ? 'starts' : 'start';
    reader.refuse([...path, 'then', then.kind], `does nothing: ${named} ${start} no operation.`);
  }
  if (nth && !nth.some((count) => count % every === 0)) {
    reader.refuse(at('nth'), `never strikes: ${every} of \`every\` divides none of it.`);
  }
  if (untilMs <= afterMs)
    reader.refuse(at('until'), 'never strikes: it is not later than `after`.');
}

function mayConcern({ operations, method, path }: FaultCondition, id: OperationId): boolean {
  const route = routes[id];
  return (
    (operations?.includes(id) ?? true) &&
    (method === undefined || method === route.method) &&
    (path === undefined || canMeet(path.split('/'), route.path.split('/')))
  );
}

/** True where some path fits both a pattern and a route, whose parameters stand for anything. */
function canMeet(pattern: readonly string[], route: readonly string[]): boolean {
  const hasRest = pattern.at(-1) === '**';
  const segments = hasRest ? pattern.slice(0, -1) : pattern;
  const isLong = hasRest ? route.length >= segments.length : route.length === segments.length;
  const meets = (segment: string, index: number) =>
    route[index]?.startsWith('{') || fitsPattern(segment, route[index] ?? '');
  return isLong && segments.every(meets);
}
