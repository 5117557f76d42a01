import { drawCourse, listDroppable } from './course.ts';
import type { Strike } from './mischief.ts';
import { narrowCourse, runSeed, type Narrowing } from './run-seed.ts';

/** No more runs than this are spent on one seed. */
const mostTries = 200;

/** Makes a failing seed smaller for as long as it fails: fewer configurations, faults and resources. */
export async function shrink(
  seed: number,
  strikes: readonly Strike[],
  within: Narrowing = {},
): Promise<Narrowing> {
  let tries = 0;
  const fails = async (narrowing: Narrowing): Promise<boolean> => {
    tries += 1;
    if (tries > mostTries || !narrowCourse(seed, narrowing)) return false;
    return (await runSeed(seed, narrowing)).violations.length > 0;
  };
  const { legs } = drawCourse(seed);
  let best: Narrowing = within;
  const whole = strikes.map(({ point }) => point);
  if (await fails({ ...within, only: whole })) best = { ...within, only: whole };
  const keep = async <T>(items: readonly T[], build: (kept: readonly T[]) => Narrowing) => {
    const kept = await removeChunks(items, (some) => fails(build(some)));
    if (kept.length < items.length) best = build(kept);
  };
  await keep(best.only ?? [], (only) => ({ ...best, only }));
  await keep([...legs.keys()], (configurations) => ({ ...best, configurations }));
  const droppable = listDroppable(legs);
  await keep(droppable, (kept) => ({
    ...best,
    drop: droppable.filter((path) => !kept.includes(path)),
  }));
  await keep(best.only ?? [], (only) => ({ ...best, only }));
  return best;
}

/** What is left when everything was taken out that need not be there: halves first, then ever smaller parts. */
async function removeChunks<T>(
  items: readonly T[],
  stillFails: (kept: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let left = items;
  for (
    let size = Math.ceil(items.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let at = 0; at < left.length;) {
      const without = [...left.slice(0, at), ...left.slice(at + size)];
      if (await stillFails(without)) left = without;
      else at += size;
    }
  }
  return left;
}

/** The one line that repeats it. */
export function describeNarrowing(
  seed: number,
  { only, configurations, drop, kinds, isPlain }: Narrowing,
): string {
  const flags = [
    ...(only ? [`--only ${only.join(',') || 'none'}`] : []),
    ...(configurations ? [`--configurations ${configurations.join(',')}`] : []),
    ...(isPlain ? ['--plain'] : []),
    ...(kinds ? [`--kinds '${kinds.join(',')}'`] : []),
    ...(drop && drop.length > 0 ? [`--drop '${drop.join(',')}'`] : []),
  ];
  return ['npm run simulate --', `--from ${seed}`, ...flags, '--verbose'].join(' ');
}
