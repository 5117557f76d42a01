import type { Command } from 'commander';
import { drawEnvironment } from '../help/overview.ts';

/** The topic `environment` of `help`. */
export function addEnvironmentTopic(program: Command): void {
  const topic = program.command('environment', { hidden: true });
  topic.helpInformation = () => drawEnvironment(topic);
}
