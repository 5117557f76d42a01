/**
 * Follows a run: each line of its log as it comes, its place in the queue, and the page anew once it has ended. It asks the
 * interface of this server alone. Lines are added together, once a frame.
 */
export const logScript = `
'use strict';
(() => {
const log = document.getElementById('log');
if (!log) return;
const path = '/api/v1/runs/' + log.dataset.run;
const isOpen = log.dataset.open === 'true';
const note = document.getElementById('log-note');
const follow = document.getElementById('log-follow');
let waiting = [];
let isDrawing = false;
let lineCount = 0;
const box = log.parentElement;
function draw() {
  isDrawing = false;
  const part = document.createDocumentFragment();
  for (const line of waiting) {
    const row = document.createElement('div');
    row.className = line.stream;
    row.textContent = line.text || ' ';
    part.append(row);
  }
  lineCount += waiting.length;
  waiting = [];
  log.append(part);
  if (isOpen && follow.checked) box.scrollTop = box.scrollHeight;
  note.hidden = lineCount > 0;
}
function add(line) {
  waiting.push(line);
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(draw);
}
let source;
function open() {
  if (source) return;
  source = new EventSource(path + '/log');
  source.addEventListener('line', (event) => add(JSON.parse(event.data)));
  source.addEventListener('end', () => {
    source.close();
    if (isOpen) location.reload();
    else if (lineCount + waiting.length === 0) note.textContent = 'The run has said nothing.';
  });
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) note.textContent = 'The log cannot be read. Reload the page.';
  });
}
const details = log.closest('details');
if (!details || details.open) open();
else details.addEventListener('toggle', open, { once: true });
if (!isOpen) return;
const status = document.getElementById('live');
let shown = '';
async function look() {
  try {
    const response = await fetch(path, { cache: 'no-store' });
    if (response.status === 401) return location.reload();
    const run = await response.json();
    const text = describe(run);
    if (text !== shown) status.textContent = text;
    shown = text;
    if (run.status !== log.dataset.status) return location.reload();
  } catch {
    status.textContent = 'The server does not answer. Trying again.';
    shown = '';
  }
  setTimeout(look, 1500);
}
function describe(run) {
  if (run.status === 'queued') {
    if (run.place === undefined || run.place < 0) return 'Starts now.';
    return run.place === 0 ? 'Next in the queue of this workspace.'
      : run.place + (run.place === 1 ? ' run is' : ' runs are') + ' before it in the queue of this workspace.';
  }
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(run.startedAt)) / 1000));
  const time = seconds < 60 ? seconds + 's' : Math.floor(seconds / 60) + 'm';
  return 'Running for ' + time + (run.attempt > 1 ? ', attempt ' + run.attempt : '') + '.';
}
look();
})();
`;
