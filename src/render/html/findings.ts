import { isAboutLoss, type Finding } from '../../model/diagnostic.ts';
import { html, htmlLines, joinHtml, emptyHtml, type Html } from '../../model/text/html.ts';
import { cutFrame, isCaretLine } from '../format/frame.ts';
import { isYamlEntry } from '../text/diagnostics-text.ts';
import { severityLabels } from '../view/labels.ts';
import { renderAddress, type ChangeAnchors } from './changes.ts';

/** Findings of the checks, the gravest first. */
export function renderFindings(findings: readonly Finding[], anchors: ChangeAnchors): Html {
  if (findings.length === 0) return emptyHtml;
  const articles = findings.map((finding) => renderFinding(finding, anchors));
  return html`<section aria-labelledby="findings"><h2 id="findings">Findings</h2>
${joinHtml(articles, '\n')}
</section>`;
}

function renderFinding(finding: Finding, anchors: ChangeAnchors): Html {
  const { severity, code, summary, detail = '', hint = '', address, source } = finding;
  const place = [
    ...(address === undefined ? [] : [html`with ${renderAddress(address, anchors)}`]),
    ...(source
      ? [html`on <code>${source.file}</code> line ${source.line}, column ${source.column}`]
      : []),
  ];
  return joinHtml(
    [
      html`<article class="finding ${severity}${isAboutLoss(finding) && ' loss'}">`,
      html`<h3><span class="severity">${severityLabels[severity]}:</span> ${summary} <code class="code">[${code}]</code></h3>`,
      html`${place.length > 0 && html`<p class="place">${joinHtml(place, ', ')}</p>`}`,
      html`${source?.frame !== undefined && renderFrame(source.frame, `${source.file}, line ${source.line}`)}`,
      ...renderParagraphs(detail, emptyHtml),
      ...renderParagraphs(hint, html`<strong>Hint:</strong> `),
      html`</article>`,
    ],
    '',
  );
}

/** Paragraphs, a line each, behind `lead`; lines of YAML stand as they would in a file, ready to be copied. */
function renderParagraphs(text: string, lead: Html): Html[] {
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
    const content = htmlLines(block.lines.join('\n'));
    return block.isYaml
      ? renderCode(content, 'For the configuration')
      : html`<p>${lead}${content}</p>`;
  });
}

function renderFrame(frame: string, label: string): Html {
  const lines = cutFrame(frame, Infinity).map((line) => {
    const text = html`${line}`;
    return isCaretLine(line) ? { markup: text.markup.replace(/\^+/, '<b>$&</b>') } : text;
  });
  return renderCode(joinHtml(lines, '\n'), label);
}

function renderCode(lines: Html, label: string): Html {
  return html`<pre class="frame" tabindex="0" role="group" aria-label="${label}">${lines}</pre>`;
}
