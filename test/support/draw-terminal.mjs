// Draws lines of a terminal, colours and all, as an SVG: still, or as a row of frames.
import stringWidth from 'string-width';
import { colorChange } from './terminal-output.mjs';

const cell = { width: 8.4, height: 19, baseline: 14 };
const padding = { side: 18, top: 46, bottom: 18 };

/** On a background of its own, so that it reads the same on a light and on a dark page. */
const colors = {
  background: '#161b22',
  border: '#3d444d',
  text: '#dfe3e8',
  31: '#ff7b72',
  32: '#56d364',
  33: '#e3b341',
  34: '#79c0ff',
  35: '#d2a8ff',
  36: '#39c5cf',
  90: '#8b949e',
};

/** One line of output as runs of text in one style. */
function parseLine(line) {
  const runs = [];
  let style = {};
  for (const [index, part] of line.split(colorChange).entries()) {
    if (index % 2 === 1) style = applyCode(style, Number(part));
    else if (part !== '') runs.push({ text: part, ...style });
  }
  return runs;
}

function applyCode(style, code) {
  if (code === 0) return {};
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isDim: true };
  if (code === 22) return { ...style, isBold: false, isDim: false };
  if (code === 39) return { ...style, color: undefined };
  return colors[code] === undefined ? style : { ...style, color: colors[code] };
}

/** A line without its colours. */
export const textOf = (line) => parseLine(line).reduce((all, { text }) => all + text, '');
export const dim = (text) => `\u001b[2m${text}\u001b[0m`;
export const bold = (text) => `\u001b[1m${text}\u001b[0m`;

const escape = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A run of text, word group by word group, each held to the grid whatever the width of the reader's font. */
function drawRun({ text, color, isBold, isDim }, column, row) {
  const look = [
    color === undefined ? '' : ` fill="${color}"`,
    isBold ? ' font-weight="bold"' : '',
    isDim ? ' opacity="0.6"' : '',
  ].join('');
  const y = padding.top + row * cell.height + cell.baseline;
  return [...text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: words, index }) => {
    const start = column + stringWidth(text.slice(0, index));
    const x = (padding.side + start * cell.width).toFixed(1);
    const length = (stringWidth(words) * cell.width).toFixed(1);
    return `<text x="${x}" y="${y}" textLength="${length}"${look}>${escape(words)}</text>`;
  });
}

function drawLine(line, row) {
  let column = 0;
  const drawn = [];
  for (const one of parseLine(line)) {
    drawn.push(...drawRun(one, column, row));
    column += stringWidth(one.text);
  }
  return drawn;
}

/** One screen after the other, without end; whoever wants no motion sees the last one. */
export function drawRecording(frames, title) {
  const total = frames.reduce((sum, { seconds }) => sum + seconds, 0);
  let at = 0;
  const rules = frames.map(({ seconds }, index) => {
    const [from, to] = [at / total, (at + seconds) / total].map((part) => (part * 100).toFixed(2));
    at += seconds;
    const start = index === 0 ? '' : '0%{visibility:hidden}';
    const end = index === frames.length - 1 ? '' : `${to}%{visibility:hidden}`;
    return `@keyframes f${index}{${start}${from}%{visibility:visible}${end}}.f${index}{animation:f${index} ${total}s step-end infinite}`;
  });
  const style = `.f{visibility:hidden}@media (prefers-reduced-motion:no-preference){${rules.join('')}}@media (prefers-reduced-motion:reduce){.f${frames.length - 1}{visibility:visible}}`;
  const groups = frames.flatMap(({ lines }, index) => [
    `<g class="f f${index}">`,
    ...lines.flatMap(drawLine),
    '</g>',
  ]);
  const rows = Math.max(...frames.map(({ lines }) => lines.length));
  return drawWindow({ columns: 80, rows, title }, [`<style>${style}</style>`, ...groups]);
}

/** A still of lines, as wide as the terminal was. */
export function drawPicture(lines, title, least = 80) {
  const columns = Math.max(least, ...lines.map((line) => stringWidth(textOf(line))));
  return drawWindow({ columns, rows: lines.length, title }, lines.flatMap(drawLine));
}

function drawWindow({ columns, rows, title }, content) {
  const width = Math.ceil(columns * cell.width + 2 * padding.side);
  const height = rows * cell.height + padding.top + padding.bottom;
  const lights = ['#ff5f57', '#febc2e', '#28c840'].map(
    (fill, index) => `<circle cx="${padding.side + 6 + index * 20}" cy="22" r="6" fill="${fill}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">`,
    `<title id="title">${escape(title)}</title>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="${colors.background}" stroke="${colors.border}"/>`,
    ...lights,
    `<g fill="${colors.text}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace" font-size="14">`,
    ...content,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}
