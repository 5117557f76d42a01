import type { Limits, NameLengths } from '../model/live.ts';
import type { Runtime } from '../model/runtime.ts';
import { connect } from './connect.ts';
import type { Reporter } from './reporter.ts';
import { readConfiguration } from './session.ts';

/** Reads the quotas with their use, and the caps of names. */
export async function limits(
  runtime: Runtime,
  directory: string,
  reporter: Reporter,
): Promise<{ limits: Limits; nameLengths: NameLengths }> {
  const configuration = await readConfiguration(runtime, directory, reporter);
  const connection = await connect(runtime, configuration, reporter);
  try {
    const { client } = connection;
    const [read, nameLengths] = await Promise.all([client.getLimits(), client.getNameLengths()]);
    return { limits: read, nameLengths };
  } finally {
    connection.close();
  }
}
