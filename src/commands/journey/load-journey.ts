import type { Configuration } from '../../config/load-configuration.ts';
import { validateFileAgainstSchema } from '../../config/schema/validate-shape.ts';
import { ConfigurationFaultList } from '../../config/source/fault-list.ts';
import { readYamlTree } from '../../config/source/read-tree.ts';
import { SourceFile } from '../../config/source/source-file.ts';
import { loadConfigurationFromYamlTree } from '../../config/tests/load-tree.ts';
import { InternalError } from '../../model/errors.ts';
import {
  writeJourneyConfiguration,
  type JourneyConfigurationInputs,
  type JourneyConfiguration,
} from './journey-steps.ts';

/** Loads the configuration of a journey at one step from memory; no file of it is written to `directory`. */
export async function loadJourneyConfiguration(
  directory: string,
  wanted: JourneyConfiguration,
  material: JourneyConfigurationInputs,
): Promise<Configuration> {
  const faults = new ConfigurationFaultList();
  const read = readYamlTree(
    new SourceFile('journey', writeJourneyConfiguration(wanted, material)),
    faults,
  );
  if (read?.tree?.kind !== 'map') throw new InternalError('The journey has no configuration');
  validateFileAgainstSchema(read.tree, faults);
  const options = { directory, workingDirectory: directory };
  const { configuration, diagnostics } = await loadConfigurationFromYamlTree(read.tree, options);
  if (configuration && faults.isEmpty) return configuration;
  const all = [...faults.toDiagnostics(), ...diagnostics];
  throw new InternalError(all.map(({ summary }) => summary).join('; '));
}
