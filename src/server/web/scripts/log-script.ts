/**
 * Browser script of a run's page: it adds log lines as they come, updates the queue position and the progress, and reloads the
 * page once the run has ended. It sends requests to the API of this server only.
 */
export const runLogScript = `
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
    row.className = classify(line);
    row.textContent = line.text || ' ';
    part.append(row);
  }
  lineCount += waiting.length;
  waiting = [];
  log.append(part);
  if (isOpen && follow.checked) box.scrollTop = box.scrollHeight;
  note.hidden = lineCount > 0;
}
// Standard error has the progress as well as the faults.
function classify(line) {
  if (line.stream === 'server') return 'server';
  const [, severity] = /^[│|\\s]*(Error|Warning): /.exec(line.text) || [];
  return severity ? severity.toLowerCase() : '';
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
  source.addEventListener('run', (event) => show(JSON.parse(event.data)));
  source.addEventListener('end', () => {
    source.close();
    if (isOpen) location.reload();
    else if (lineCount + waiting.length === 0) note.textContent = 'The run has said nothing.';
  });
  source.addEventListener('error', explain);
}
async function explain() {
  if (source.readyState !== EventSource.CLOSED) return say('The server does not answer. Trying again.');
  note.textContent = 'The log cannot be read. Reload the page.';
  note.hidden = false;
  const response = await fetch(path, { cache: 'no-store' });
  if (response.status === 401) location.reload();
}
const details = log.closest('details');
const status = document.getElementById('live');
const bar = document.getElementById('progress');
let run;
let said = '';
function say(text) {
  if (!status || text === said) return;
  said = text;
  status.textContent = text;
}
function show(now) {
  run = now;
  if (run.status !== log.dataset.status) return location.reload();
  if (run.progress) {
    bar.hidden = false;
    bar.max = run.progress.total;
    bar.value = run.progress.done + run.progress.failed;
  }
  say(describe());
}
function describe() {
  if (run.status === 'queued') {
    const left = Math.ceil((Date.parse(run.waitsUntil) - Date.now()) / 1000);
    if (left > 0) return 'The service refuses the requests of this account. Tried again in ' + left + 's.';
    if (run.place === undefined || run.place < 0) return 'Starts now.';
    return run.place === 0 ? 'Next in the queue of this workspace.'
      : run.place + (run.place === 1 ? ' run is' : ' runs are') + ' before it in the queue of this workspace.';
  }
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(run.startedAt)) / 1000));
  const time = seconds < 60 ? seconds + 's' : Math.floor(seconds / 60) + 'm';
  return 'Running for ' + time + (run.attempt > 1 ? ', attempt ' + run.attempt : '') + describeProgress(run.progress) + '.';
}
function describeProgress(progress) {
  if (!progress) return '';
  const failed = progress.failed > 0 ? ', ' + progress.failed + ' failed' : '';
  return ': ' + progress.done + ' of ' + progress.total + ' done' + failed + ', ' + progress.running + ' running';
}
if (isOpen || !details || details.open) open();
else details.addEventListener('toggle', open, { once: true });
if (isOpen) setInterval(() => run && say(describe()), 1000);
})();
`;
