/** Script of a graph's picture: zooms, fits, pans, and highlights the dependants of the node that is pointed at. */
export const graphScript = `
const least = 0.1;
const most = 4;
const only = document.getElementById('only-changes');
for (const picture of document.querySelectorAll('.picture')) {
  const svg = picture.firstElementChild;
  const size = svg.viewBox.baseVal;
  let scale = 1;
  // What is at a point of the picture's window stays there.
  const zoom = (wanted, at = { x: picture.clientWidth / 2, y: picture.clientHeight / 2 }) => {
    const next = Math.min(most, Math.max(least, wanted));
    const left = (picture.scrollLeft + at.x) * (next / scale) - at.x;
    const top = (picture.scrollTop + at.y) * (next / scale) - at.y;
    scale = next;
    svg.setAttribute('width', size.width * scale);
    svg.setAttribute('height', size.height * scale);
    picture.scrollLeft = left;
    picture.scrollTop = top;
  };
  const room = () => {
    const style = getComputedStyle(picture);
    return [picture.clientWidth - 2 * parseFloat(style.paddingLeft), parseFloat(style.maxHeight) - 2 * parseFloat(style.paddingTop)];
  };
  const fitWidth = () => zoom(Math.min(4 / 3, room()[0] / size.width), { x: 0, y: 0 });
  const fit = () => {
    const [width, height] = room();
    zoom(Math.min(4 / 3, width / size.width, height / size.height));
  };
  const actions = { in: () => zoom(scale * 1.25), out: () => zoom(scale / 1.25), full: () => zoom(4 / 3), fit };
  const keys = { '+': 'in', '=': 'in', '-': 'out', 0: 'full', f: 'fit' };
  picture.classList.add('live');
  for (const button of document.querySelectorAll('.zoom button'))
    button.addEventListener('click', () => { if (picture.clientWidth > 0) actions[button.value](); });
  picture.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    actions[keys[event.key]]();
  });
  picture.addEventListener('wheel', (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const box = picture.getBoundingClientRect();
    zoom(scale * Math.exp(-event.deltaY / 300), { x: event.clientX - box.left, y: event.clientY - box.top });
  }, { passive: false });
  // A finger scrolls by itself.
  let grip;
  let hasMoved = false;
  picture.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'touch' || event.button !== 0) return;
    grip = { x: event.clientX + picture.scrollLeft, y: event.clientY + picture.scrollTop };
    hasMoved = false;
  });
  addEventListener('pointermove', (event) => {
    if (!grip) return;
    const left = grip.x - event.clientX;
    const top = grip.y - event.clientY;
    if (Math.abs(left - picture.scrollLeft) + Math.abs(top - picture.scrollTop) > 4) hasMoved = true;
    picture.scrollLeft = left;
    picture.scrollTop = top;
  });
  addEventListener('pointerup', () => { grip = undefined; });
  picture.addEventListener('dragstart', (event) => event.preventDefault());
  picture.addEventListener('click', (event) => { if (hasMoved) event.preventDefault(); });
  const nodes = new Map([...svg.querySelectorAll('.node')].map((node) => [node.dataset.n, node]));
  const edges = [...svg.querySelectorAll('.edge')];
  const needing = new Map();
  for (const edge of edges) {
    const { from, to } = edge.dataset;
    needing.set(to, [...(needing.get(to) ?? []), from]);
  }
  const light = (event) => {
    const node = event.target.closest('.node');
    const lit = new Set();
    const open = node ? [node.dataset.n] : [];
    while (open.length > 0) {
      const one = open.pop();
      if (lit.has(one)) continue;
      lit.add(one);
      open.push(...(needing.get(one) ?? []));
    }
    svg.classList.toggle('lighting', lit.size > 0);
    for (const [name, one] of nodes) one.classList.toggle('lit', lit.has(name));
    for (const edge of edges) edge.classList.toggle('lit', lit.has(edge.dataset.to));
  };
  for (const name of ['pointerover', 'focusin']) picture.addEventListener(name, light);
  for (const name of ['pointerleave', 'focusout']) picture.addEventListener(name, light);
  only?.addEventListener('change', () => { if (picture.clientWidth > 0) fitWidth(); });
  if (picture.clientWidth > 0) fitWidth();
}
for (const tools of document.querySelectorAll('.zoom')) tools.hidden = false;
`;
