// What becomes of the work where no collector takes its traces. As tests, for each way in which that can be.
import { expect, it } from 'vitest';
import type { ApiClient } from './api-client.ts';
import type { ServerRig } from './server-rig.ts';
import { startTraceCollector } from './trace-collector.ts';

/** How a collector answers; undefined where it is gone. */
export type LostAnswer = 'never' | number | undefined;

/** The environment of a process that sends its traces there. */
export const traceTo = (origin: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: origin,
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20covert-header',
  OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
});

/** Declares the tests, by what such a collector does. The server of the rig has a workspace `shop`. */
export function testLostTraces(
  cases: readonly (readonly [what: string, answer: LostAnswer])[],
  read: () => { readonly rig: ServerRig; readonly api: ApiClient },
): void {
  it.each(cases)('goes on where the collector %s, which is one warning', async (_what, answer) => {
    const { rig, api } = read();
    const away = await startTraceCollector();
    if (answer === undefined) await away.close();
    else away.answer = answer;
    const env = { ...traceTo(away.origin), OTEL_BSP_SCHEDULE_DELAY: '50' };
    const worker = await rig.start(['worker'], { env });
    for (const operation of ['plan', 'drift']) {
      const { id } = await api.run({ operation, workspace: 'shop' });
      expect(await api.ended(id)).toMatchObject({ status: 'succeeded' });
    }
    await worker.stop();
    const { host } = new URL(away.origin);
    const warnings = worker
      .complaints()
      .split('\n')
      .filter((line) => line.includes('"warn"'));
    expect(warnings).toEqual([
      expect.stringContaining(`Traces are lost: ${host} did not take them.`),
    ]);
    expect(await worker.ended).toBe(0);
    if (answer !== undefined) await away.close();
  });
}
