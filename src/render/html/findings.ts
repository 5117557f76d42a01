import { isAboutLoss, type Finding } from '../../model/diagnostic.ts';
import { isYamlEntry } from '../text/diagnostics-text.ts';
import { cutFrame, isCaretLine } from '../format/frame.ts';
import { severityLabels } from '../view/labels.ts';
import { renderAddress, type Anchors } from './changes.ts';
import { escapeMarkup } from '../../model/text/html.ts';

/** What the checks say, the gravest first. */
export function renderFindings(findings: readonly Finding[], anchors: Anchors): string {
  if (findings.length === 0) return '';
  return [
    '<section aria-labelledby="findings"><h2 id="findings">Findings</h2>',
    ...findings.map((finding) => renderFinding(finding, anchors)),
    '</section>',
  ].join('\n');
}

function renderFinding(finding: Finding, anchors: Anchors): string {
  const { severity, code, summary, detail, hint, address, source } = finding;
  const place = [
    ...(address === undefined ? [] : [`with ${renderAddress(address, anchors)}`]),
    ...(source
      ? [
          `on <code>${escapeMarkup(source.file)}</code> line ${source.line}, column ${source.column}`,
        ]
      : []),
  ].join(', ');
  return [
    `<article class="finding ${severity}${isAboutLoss(finding) ? ' loss' : ''}">`,
    `<h3><span class="severity">${severityLabels[severity]}:</span> ${escapeMarkup(summary)} <code class="code">[${escapeMarkup(code)}]</code></h3>`,
    place === '' ? '' : `<p class="place">${place}</p>`,
    source?.frame === undefined
      ? ''
      : renderFrame(source.frame, `${source.file}, line ${source.line}`),
    ...paragraphs(detail ?? ''),
    ...paragraphs(hint ?? '').map((text) => text.replace('<p>', '<p><strong>Hint:</strong> ')),
    '</article>',
  ].join('');
}

/** A paragraph a line; what is YAML stands as it would in a file, there to be copied. */
function paragraphs(text: string): string[] {
  const blocks: { isYaml: boolean; lines: string[] }[] = [];
  const lines = text.split('\n').filter((line) => line !== '');
  for (const [index, line] of lines.entries()) {
    const isSection = /^\w+:$/.test(line) && isYamlEntry(lines[index + 1] ?? '');
    const isYaml = isSection || isYamlEntry(line);
    const last = blocks.at(-1);
    if (isYaml && last?.isYaml) last.lines.push(line);
    else blocks.push({ isYaml, lines: [line] });
  }
  return blocks.map((block) => {
    const content = block.lines.map(escapeMarkup).join('\n');
    return block.isYaml
      ? `<pre class="frame" tabindex="0" role="group" aria-label="For the configuration">${content}</pre>`
      : `<p>${content}</p>`;
  });
}

function renderFrame(frame: string, label: string): string {
  const lines = cutFrame(frame, Infinity).map((line) => {
    const text = escapeMarkup(line);
    return isCaretLine(line) ? text.replace(/\^+/, '<b>$&</b>') : text;
  });
  return `<pre class="frame" tabindex="0" role="group" aria-label="${escapeMarkup(label)}">${lines.join('\n')}</pre>`;
}
