import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Terraform writes its whole state for each resource: on a slow disk thousands of them take hours. */
const limitMs = 20 * 60_000;

/** How long Terraform took; `isCreateLookupOver`: it was ended before it was done. */
export interface Rival {
  readonly ms: number;
  readonly isOver: boolean;
}

/** Terraform's plan or apply of so many `terraform_data`; undefined where there is no Terraform, or it fails. */
export function measureTerraform(args: readonly string[], count: number): Rival | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'hostwright-bench-tf-'));
  try {
    const resource = `resource "terraform_data" "vm" {\n  count = ${count}\n  input = count.index\n}\n`;
    writeFileSync(join(directory, 'main.tf'), resource);
    const options = { cwd: directory, stdio: 'ignore' as const };
    if (spawnSync('terraform', ['init', '-input=false'], options).status !== 0) return undefined;
    const startedAt = performance.now();
    const { status, error } = spawnSync('terraform', [...args, '-input=false'], {
      ...options,
      timeout: limitMs,
      killSignal: 'SIGKILL',
    });
    const isOver = error !== undefined && 'code' in error && error.code === 'ETIMEDOUT';
    if (status !== 0 && !isOver) return undefined;
    return { ms: performance.now() - startedAt, isOver };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
