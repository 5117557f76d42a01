// What each form of a plan says, read as those read it whom it is for: to compare them with one another.
import assert from 'node:assert/strict';
import { DOMParser } from '@xmldom/xmldom';
import type { Log } from 'sarif';
import { makeDeposedAddress } from '../../src/model/address.ts';
import type { EffectCounts } from '../../src/model/effects.ts';
import type { StreamEventJson } from '../../src/render/json/event-json.ts';
import type { PlanJson } from '../../src/render/json/json.ts';
import { readReport } from './read-report.ts';
import { unfoldAddress } from './unfold-address.ts';

/** What a form of a plan says; every list is sorted. */
export interface Facts {
  /** Undefined where nothing changes. */
  readonly counts: EffectCounts | undefined;
  /** `create projects.shop`. */
  readonly changes: readonly string[];
  /** `changed projects.shop.vms.web`, `deleted …`. */
  readonly drift: readonly string[];
  /** `error quota-exceeded projects.shop`; `-` where there is no address. */
  readonly findings: readonly string[];
}

const headlineWords: readonly (readonly [RegExp, string])[] = [
  [/^will be created/, 'create'],
  [/^will be updated in-place/, 'update'],
  [/^will be rebuilt/, 'rebuild'],
  [/^must be replaced/, 'replace'],
  [/^will be destroyed, as its retirement has ended/, 'expire'],
  [/^will be backed up/, 'due'],
  [/^will be (destroyed|retired)/, 'delete'],
  [/^will no longer be managed/, 'forget'],
  [/^will be imported/, 'import'],
  [/^has moved to/, 'move'],
  [/^has changed/, 'changed'],
  [/^has been deleted/, 'deleted'],
];

const isDrift = (line: string) => /^(changed|deleted) /.test(line);

const makeFacts = (
  counts: EffectCounts | undefined,
  changes: readonly string[],
  findings: readonly string[],
): Facts => ({
  counts,
  changes: changes.filter((line) => !isDrift(line)).sort(),
  drift: changes.filter(isDrift).sort(),
  findings: [...findings].sort(),
});

/** The plan JSON; what was deleted outside and is configured no more counts as drift, as in the text. */
export function readJson(json: PlanJson): Facts {
  const { actions, findings, gone, mode, summary } = json.hostwright;
  const changes = json.resource_changes.flatMap((entry) => {
    const { address: base, deposed, change, previous_address } = entry;
    const address = deposed === undefined ? base : makeDeposedAddress(base, deposed);
    const action = actions[address];
    if (action !== 'no-op') return [`${action} ${address}`];
    if (change.importing) return [`import ${address}`];
    return previous_address === undefined ? [] : [`move ${address}`];
  });
  const drifted = json.resource_drift;
  const drift =
    mode === 'refresh'
      ? drifted.map(
          ({ address, change }) => `${change.after === null ? 'deleted' : 'changed'} ${address}`,
        )
      : gone.map((address) => `deleted ${address}`);
  return makeFacts(
    { expire: 0, due: 0, ...summary },
    [...changes, ...drift],
    findings.map(({ severity, code, address }) => `${severity} ${code} ${address ?? '-'}`),
  );
}

/** The text at any width without wrapping. */
export function readTextForm(text: string): Facts {
  // What each plan says anew has no box around its line.
  const findings = [...text.matchAll(/^╷\n([^]*?)^╵$|^(Note: [^╷]*?\[[a-z-]+\])$/gm)].map(
    ([, box, line = '']) => readFinding((box ?? line).replaceAll(/^│ ?/gm, '').split('\n')),
  );
  const body = text.replaceAll(/^╷\n[^]*?^╵$/gm, '');
  const [, counts] = /^Plan: (.*)\.$/m.exec(body) ?? [];
  return makeFacts(readCounts(counts), readHeadlines(body, /^ {2}# (.*)$/gm), findings);
}

/** The comment for a pull request. */
export function readMarkdown(text: string): Facts {
  const [, heading = ''] = /^## Hostwright [^:]*: .*<br><sub>(.*)<\/sub>$/m.exec(text) ?? [];
  const [, closing] = /^Plan: (.*)\.$/m.exec(text) ?? [];
  // The heading leaves out what is nothing, and says else the same.
  if (closing !== undefined) assert.deepEqual(readFilled(heading), readCounts(closing));
  const fences = [...text.matchAll(/^(`{3,})diff\n([^]*?)^\1$/gm)].map(([, , body = '']) => body);
  const isFinding = (body: string) => /^[-!#] (Error|Warning|Note): /.test(body);
  const findings = fences
    .filter(isFinding)
    .flatMap((body) => body.split(/^(?=[-!#] (?:Error|Warning|Note): )/m))
    .map((body) =>
      readFinding(body.split('\n').map((line) => line.replace(/^(?:[-!#] | {4})/, ''))),
    );
  const changes = fences.filter((body) => !isFinding(body)).join('\n');
  return makeFacts(readCounts(closing), readHeadlines(changes, /^# (.*)$/gm), findings);
}

/** The page. */
export function readHtml(html: string): Facts {
  const { changes, figures, findings, closing } = readReport(html);
  const line = closing.find((one) => one.startsWith('Plan: '));
  const counts = changes.length > 0 ? readCounts(line) : undefined;
  // The figures leave out what is nothing, and say else the same.
  if (counts !== undefined) assert.deepEqual(readFilled(figures.join(', ')), counts);
  const names = new Map([
    ['create-first', 'replace'],
    ['drift', 'changed'],
    ['gone', 'deleted'],
  ]);
  const gone = /<h2 id="gone">[^]*?<\/section>/.exec(html)?.[0] ?? '';
  return makeFacts(
    counts,
    [
      ...changes.flatMap(({ action, address }) =>
        unfoldAddress(address).map((one) => `${names.get(action) ?? action} ${one}`),
      ),
      ...[...gone.matchAll(/<code>([^<]*)<\/code>/g)].map(
        ([, address = '']) => `deleted ${address.replaceAll('&quot;', '"')}`,
      ),
    ],
    findings.map(({ title, address }) =>
      readFinding(address === undefined ? [title] : [title, `  with ${address}`]),
    ),
  );
}

/** The event stream of a plan. What was changed outside stands in it in every mode. */
export function readEvents(events: readonly StreamEventJson[]): Facts {
  const of = (type: string) => events.filter((event) => event.type === type);
  const summary = of('change_summary')[0];
  const tally = summary?.changes as Record<string, number>;
  const own = summary?.hostwright as Record<string, number>;
  const names = new Map([['remove', 'forget']]);
  const changes = of('planned_change').map((event) => {
    const { action, resource } = event.change as { action: string; resource: { addr: string } };
    const own = (event.hostwright as { action?: string } | undefined)?.action;
    return `${own ?? names.get(action) ?? action} ${resource.addr}`;
  });
  const drift = of('resource_drift').map((event) => {
    const { action, resource } = event.change as { action: string; resource: { addr: string } };
    return `${action === 'delete' ? 'deleted' : 'changed'} ${resource.addr}`;
  });
  const findings = of('diagnostic').map((event) => {
    const { severity, code, address } = event.diagnostic as Record<string, string | undefined>;
    return `${severity ?? ''} ${code ?? ''} ${address ?? '-'}`;
  });
  const { add = 0, import: imported = 0, remove: destroy = 0 } = tally;
  const { change = 0, rebuild = 0, disks_lost: disksLost = 0 } = own;
  const { expire = 0, due = 0, forget = 0 } = own;
  // To Terraform a rebuild is a change.
  assert.equal(tally.change, change + rebuild);
  const counts = {
    import: imported,
    add,
    change,
    rebuild,
    disksLost,
    destroy,
    expire,
    due,
    forget,
  };
  return makeFacts(counts, [...changes, ...drift], findings);
}

/** SARIF: the findings alone. */
export const readSarif = ({ runs }: Log): readonly string[] =>
  runs
    .flatMap(({ results = [] }) => results)
    .map(({ level, ruleId, locations }) => {
      const address = locations?.[0]?.logicalLocations?.[0]?.fullyQualifiedName;
      return `${String(level)} ${ruleId ?? ''} ${address ?? '-'}`;
    })
    .sort();

/** JUnit XML: the findings alone. */
export function readJunit(xml: string): readonly string[] {
  const document = new DOMParser().parseFromString(xml, 'text/xml');
  return [...document.getElementsByTagName('testcase')]
    .filter((one) => one.getAttribute('name') !== 'no findings')
    .map((one) => {
      const has = (name: string) => one.getElementsByTagName(name).length > 0;
      const severity = has('failure') ? 'error' : has('skipped') ? 'warning' : 'note';
      const [code = ''] = (one.getAttribute('name') ?? '').split(':');
      const address = /^with (.*)$/m.exec(one.textContent ?? '')?.[1];
      return `${severity} ${code} ${address ?? '-'}`;
    })
    .sort();
}

/** Counts in words, as the closing line, a heading and the figures of a page have them. */
const readCounts = (text = ''): EffectCounts | undefined =>
  /\d+ to add/.test(text) ? readFilled(text) : undefined;

/** As `readCounts`, where what is nothing is left out. */
function readFilled(text: string): EffectCounts {
  const count = (pattern: string) => Number(new RegExp(`(\\d+) ${pattern}`).exec(text)?.[1] ?? 0);
  return {
    ...{ import: count('to import'), add: count('to add'), change: count('to change') },
    ...{ rebuild: count('to rebuild'), disksLost: count('disks? lost') },
    ...{ destroy: count('to destroy'), expire: count('to expire'), forget: count('to forget') },
    due: count('to back up'),
  };
}

function readHeadlines(text: string, pattern: RegExp): string[] {
  // A long address stands on lines of its own.
  const joined = text.replaceAll(/\n *# {3}(?=\S)/g, ' ');
  return [...joined.matchAll(pattern)].flatMap(([, line = '']) => {
    const [, address = '', words = ''] =
      /^(\S+(?:\[[^\]]*\]\S*)?(?: \(deposed object [^)]*\))?) ((?:will|must|has) .*)$/.exec(line) ??
      [];
    const action = headlineWords.find(([start]) => start.test(words))?.[1];
    // It is called by where it is now; how many they are may stand behind that.
    const [, to = address] = /^has moved to (.*?)(?: \(\d+ [^)]*\))?$/.exec(words) ?? [];
    return action === undefined ? [] : unfoldAddress(to).map((one) => `${action} ${one}`);
  });
}

function readFinding(lines: readonly string[]): string {
  // A long title takes several lines.
  const end = lines.findIndex((line) => line === '' || line.startsWith('  '));
  const [, title = '', , code = ''] =
    /^(\w+): (.*) \[([a-z-]+)\]$/.exec(lines.slice(0, end < 0 ? undefined : end).join(' ')) ?? [];
  const place = lines.find((line) => line.startsWith('  with '));
  const address = place?.slice('  with '.length).replace(/,$/, '');
  return `${title.toLowerCase()} ${code} ${address ?? '-'}`;
}
