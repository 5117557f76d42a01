import { expect, test } from 'vitest';
import { lostCreateSearchBounds } from '../../src/model/state/evidence.ts';
import { defaultLockLeaseMs } from '../../src/state/lock/lock-medium.ts';
import { bounds } from './simulation/spread.ts';

/** A bound that is only a little past what the engine waits for finds only what is there by chance. */
const timesBeyond = 4;

// The most that a slow account makes of a look grows with what was seen there: it is no fixed window.
const fixed = Object.entries(lostCreateSearchBounds).filter(([name]) => name !== 'mostLookMs');

test.each(fixed)(
  'the simulation is late and lags at least four times as long as the engine looks: %s',
  (_name, ms) => {
    expect(bounds.lateMs).toBeGreaterThanOrEqual(timesBeyond * ms);
    expect(bounds.lagMs).toBeGreaterThanOrEqual(timesBeyond * ms);
    expect(bounds.flapMs).toBeGreaterThanOrEqual(timesBeyond * ms);
  },
);

test('the simulation lets a run stand still at least four times as long as a lease lasts', () =>
  expect(bounds.pauseMs).toBeGreaterThanOrEqual(timesBeyond * defaultLockLeaseMs));
