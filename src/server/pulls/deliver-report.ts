import type { RequestMeans } from '../runs/request-run.ts';
import type { PullReport } from '../store/pulls.ts';
import { publicUrlSetting } from '../store/settings.ts';
import { writeForkReport, writeReport, type WrittenReport } from './write-report.ts';

/** Writes to a pull request what its newest run comes to now: the status of its head, and the comment. @throws HostFault */
export async function deliverReport(
  { store, hosts }: Pick<RequestMeans, 'store' | 'hosts'>,
  report: PullReport,
): Promise<void> {
  const workspace = await store.workspaces.read(report.workspaceId);
  const hosted = workspace && (await hosts.find(workspace));
  if (!hosted) return;
  const { host, path } = hosted;
  const run = report.run === undefined ? undefined : await store.runs.find(report.run);
  const origin = await store.settings.read(publicUrlSetting);
  const link = run && origin !== undefined ? `${origin}/runs/${run.id}` : undefined;
  const head = run?.pull?.head ?? report.forkHead;
  if (head === undefined) return;
  const written: WrittenReport = run
    ? writeReport(run, { body: await store.pulls.readBody(run.id), link })
    : writeForkReport(workspace.name, head);
  await host.setStatus(path, head, {
    ...written.status,
    ...{ context: `hostwright/${workspace.name}`, url: link },
  });
  if (written.comment === undefined) return;
  const marker = `<!-- hostwright-server:${workspace.name} -->`;
  const body = `${marker}\n${written.comment}`;
  const id = await host.keepComment(path, report.number, { marker, body, id: report.commentId });
  if (id !== report.commentId) await store.pulls.noteComment(report, id);
}
