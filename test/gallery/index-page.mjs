// The page that shows all pictures beside one another, with what to look for.
const checklist = [
  'Whose plan it is, and what becomes of it, can be read in the first line.',
  'What is lost or destroyed comes first, and is red in every form.',
  'Nothing is said twice, and nothing that is the same is shown many times.',
  'Text has contrast by light and by dark; no state is told by colour alone.',
  'Numbers stand below numbers; names begin at one edge.',
  'Numbers agree with their nouns, and have one form.',
  'What is empty says so, and says what to do.',
  'At 390 dots and at 40 columns nothing is cut, and nothing runs over.',
  'On paper no page is blank, no change is torn in two, and the colours are light.',
  'Everything can be reached by keys, in the order in which it is read.',
];

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** `shown` are the pictures of one case after the other: `{ title, pictures: [{ label, file }] }`. */
export function renderIndex(shown) {
  const sections = shown.map(
    ({ title, pictures }) =>
      `<h2>${escape(title)}</h2><div class="row">${pictures.map(renderPicture).join('')}</div>`,
  );
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Gallery</title>',
    '<style>body{font:15px system-ui,sans-serif;margin:2rem}.row{display:flex;gap:1rem;overflow-x:auto;align-items:start}',
    'figure{margin:0}img{width:22rem;max-height:34rem;object-fit:cover;object-position:top;border:1px solid #ccc}</style>',
    `<h1>Gallery</h1><ul>${checklist.map((one) => `<li><label><input type="checkbox"> ${escape(one)}</label></li>`).join('')}</ul>`,
    ...sections,
  ].join('\n');
}

function renderPicture({ label, file }) {
  const isPicture = /\.(?:png|svg)$/.test(file);
  const content = isPicture ? `<img src="${file}" alt="${escape(label)}" loading="lazy">` : label;
  return `<figure><a href="${file}">${content}</a><figcaption>${escape(label)}</figcaption></figure>`;
}
