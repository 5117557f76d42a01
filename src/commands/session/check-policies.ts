// Policies by themselves, before any configuration meets them.
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfiguration } from '../../config/load-configuration.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';

/** Faults about names that the configuration, or another file of policies, may have. */
const aboutOthers = ['unknown-name', 'undeclared-variable', 'missing-variable'];

/**
 * Lists the errors of policy files that are errors with any configuration, such as a policy that two files have. Paths in
 * messages are relative to the directory of the policies.
 * @param files YAML of the policies by file name, without the ending
 */
export async function listPolicyFileErrors(
  files: ReadonlyMap<string, string>,
): Promise<readonly Diagnostic[]> {
  const root = await mkdtemp(join(tmpdir(), 'hostwright-policies-'));
  try {
    const [directory, policies] = [join(root, 'empty'), join(root, 'policies')];
    await mkdir(directory);
    await mkdir(policies);
    await writeFile(join(directory, 'main.yaml'), 'version: 1\n');
    for (const [name, content] of files)
      await writeFile(join(policies, `${name}.yaml`), content, { mode: 0o600 });
    const { diagnostics } = await loadConfiguration({
      directory,
      workingDirectory: policies,
      policyDirectories: [policies],
    });
    return diagnostics.filter(
      ({ severity, code }) => severity === 'error' && !aboutOthers.includes(code),
    );
  } finally {
    await rm(root, { recursive: true });
  }
}
