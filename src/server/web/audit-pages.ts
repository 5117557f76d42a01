// The page of the audit log, for administrators.
import type { AuditEntry } from '../audit/audit-entry.ts';
import { answerViewer } from './answer-page.ts';
import { PageFault, type PageRequest } from './page-request.ts';
import { renderAudit } from './pages/audit-page.ts';

/** How many entries are on a page. */
const shown = 100;

/** `/audit` */
export async function showAudit(request: PageRequest): Promise<Response> {
  const { api, query, now } = request;
  const before = query('before');
  const asked = new URLSearchParams({
    newest: String(shown + 1),
    ...(before !== undefined && { before }),
  });
  const response = await api.fetch(`/api/v1/audit?${asked.toString()}`);
  if (!response.ok) throw new PageFault(422, 'No such entries', 'The address may be incomplete.');
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  const entries = lines.map((line) => JSON.parse(line) as AuditEntry);
  const content = renderAudit(entries.slice(0, shown), entries.length > shown, now);
  return answerViewer(request, { title: 'Audit', place: '/audit', content });
}
