import type { DayFigures } from './day-figures.ts';

/** Prints what came of a day. @returns the exit code */
export function printDay(figures: DayFigures): number {
  const { runs, faults, recoveries, lateness, pushToPlan } = figures;
  const round = (value: number) => value.toFixed(1);
  const lines = [
    `${round(figures.hours)} hours in ${round(figures.minutesOnMachine)} minutes, ${round(figures.runsPerSecond)} runs a second on this machine`,
    `Runs: ${figures.ended}, of which are there: ${JSON.stringify(runs)}; at most ${figures.deepest} open at once`,
    `Drift checks begin after they are due: ${describe(lateness)}; missed: ${figures.missedChecks}`,
    `Outside changes: ${figures.outsideChanges}; episodes of drift: ${figures.episodes}`,
    `From a push to the end of its plan: ${describe(pushToPlan)}`,
    `Workers killed: ${figures.kills}, PostgreSQL restarted: ${figures.restarts}; runs gone on with: ${describe(recoveries)}`,
    `Requests: ${figures.requests}; refused in outages: ${figures.refusals}; beyond a budget: ${figures.excess}`,
    `Database: ${figures.databaseMb} MB; this process: ${figures.memoryMb} MB; overview: ${figures.overviewMs.join(' and ')} ms`,
    ...faults.map((fault) => `Fault: ${fault}`),
  ];
  for (const line of lines) console.log(line);
  return faults.length === 0 ? 0 : 1;
}

function describe([median, most, longest]: readonly number[]): string {
  if (median === undefined || most === undefined || longest === undefined) return 'none';
  return `median ${median.toFixed(1)} s, p99 ${most.toFixed(1)} s, at most ${longest.toFixed(1)} s`;
}
