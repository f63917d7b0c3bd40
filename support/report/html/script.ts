/** Marks scripts for editors. */
const js = String.raw

/** Filter, copy buttons, unfolding of link targets, and printing. It never parses text as markup. */
export const script: string = js`'use strict';
(() => {
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  const controls = document.querySelector('.controls');
  const found = document.querySelector('.found');
  const announced = document.querySelector('.announced');
  const reset = document.querySelector('[data-action=reset]');
  const fields = all('[data-filter]');
  const rules = all('[data-rule]');
  const tiles = new Set(all('.marks [data-rule]'));
  const groups = all('[data-group]').reverse();
  const sentences = new Map(all('.rule').map(rule => {
    const clause = rule.closest('.clause').id.replace('clause-', '');
    return [rule.dataset.rule, (rule.textContent + ' ' + clause + ' §' + clause).toLowerCase()];
  }));

  const wanted = () => Object.fromEntries(fields.map(({ dataset, value }) => [dataset.filter, value.trim().toLowerCase()]));

  function filter() {
    const want = wanted();
    const active = Object.values(want).some(value => value !== '');
    const words = want.text.split(/\s+/);
    const matches = ({ dataset }) =>
      ['outcome', 'level', 'operation'].every(name => want[name] === '' || dataset[name].toLowerCase() === want[name])
      && words.every(word => (sentences.get(dataset.rule) || '').includes(word));
    const shown = new Set();
    for (const rule of rules) {
      const match = !active || matches(rule);
      if (match) shown.add(rule.dataset.rule);
      if (tiles.has(rule)) rule.classList.toggle('dim', !match);
      else rule.hidden = !match;
    }
    // Inner groups first, because an outer group is hidden if all its inner groups are.
    for (const group of groups) group.hidden = active && !group.querySelector('[data-rule]:not([hidden])');
    reset.disabled = !active;
    found.textContent = active ? shown.size + ' of ' + sentences.size + ' rules' : '';
    if (active) for (const details of all('.notes details, .groups details')) details.open = true;
  }

  function showAll() {
    for (const field of fields) field.value = '';
    filter();
  }

  function reveal() {
    let id = '';
    try { id = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    const target = id && document.getElementById(id);
    if (!target) return;
    if (target.closest('[hidden]')) showAll();
    for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    const folded = target.querySelector(':scope > div > details.particulars');
    if (folded) folded.open = true;
    target.scrollIntoView();
  }

  async function copy(button, block) {
    const exact = block.dataset.copy;
    const text = exact ? JSON.parse(exact) : block.querySelector('code').textContent;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement('textarea');
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
      button.focus();
    }
    const words = button.firstChild;
    words.nodeValue = 'Copied';
    announced.textContent = 'Copied';
    setTimeout(() => { words.nodeValue = 'Copy'; announced.textContent = ''; }, 1500);
  }

  for (const block of all('[data-copy]')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    const what = document.createElement('span');
    what.className = 'unseen';
    what.textContent = ' ' + block.dataset.label;
    button.append('Copy', what);
    button.addEventListener('click', () => copy(button, block));
    block.append(button);
  }

  const setOpen = open => { for (const details of all('details')) details.open = open; };
  const actions = { reset: showAll, expand: () => setOpen(true), collapse: () => setOpen(false) };
  for (const button of all('[data-action]')) button.addEventListener('click', actions[button.dataset.action]);
  for (const field of fields) field.addEventListener('input', filter);
  controls.hidden = false;

  let closed = [];
  addEventListener('beforeprint', () => {
    closed = all('details:not([open])');
    for (const details of closed) details.open = true;
  });
  addEventListener('afterprint', () => { for (const details of closed) details.open = false; });
  addEventListener('hashchange', reveal);
  reveal();
})();
`
