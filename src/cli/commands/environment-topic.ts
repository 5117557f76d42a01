import type { Command } from 'commander';
import { renderEnvironmentHelp } from '../help/overview.ts';

/** Name of the topic of `help` about environment variables. */
export const environmentTopicName = 'environment';

/** The topic `environment` of `help`. */
export function addEnvironmentTopic(program: Command): void {
  const topic = program
    .command(environmentTopicName, { hidden: true })
    .summary('variables, permissions and exit codes');
  topic.helpInformation = () => renderEnvironmentHelp(topic);
}
