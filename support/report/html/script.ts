/** Marks scripts for editors. */
const js = String.raw

/** Copy buttons, a filter of rules, opening of link targets, and of everything for print. It never parses text as markup. */
export const script: string = js`'use strict';
(() => {
  const all = selector => Array.from(document.querySelectorAll(selector));
  const announced = document.querySelector('.announced');

  function reveal() {
    let id = '';
    try { id = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    const target = id && document.getElementById(id);
    if (!target) return;
    if (target.closest('[hidden]')) for (const form of all('form.filter')) form.reset();
    for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    target.scrollIntoView();
  }

  async function copy(button, block) {
    await navigator.clipboard.writeText(block.querySelector('code').textContent);
    button.textContent = announced.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; announced.textContent = ''; }, 1500);
  }

  for (const block of all('pre.command')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => copy(button, block));
    block.append(button);
  }

  for (const form of all('form.filter')) {
    const inside = selector => Array.from(form.parentElement.querySelectorAll(selector));
    const rows = inside('[data-cells]');
    const apply = () => {
      const { text, outcome, operation, level } = Object.fromEntries(new FormData(form));
      const words = text.toLowerCase().split(/\s+/);
      const matches = cell => (!operation || cell.startsWith(operation + ':')) && (!outcome || cell.endsWith(':' + outcome));
      for (const row of rows)
        row.hidden = !(
          (!level || row.dataset.level === level) &&
          row.dataset.cells.split(' ').some(matches) &&
          words.every(word => row.textContent.toLowerCase().includes(word))
        );
      const shown = rows.filter(row => !row.hidden).length;
      const isFiltered = Boolean(text.trim() || outcome || operation || level);
      for (const group of inside('.group'))
        group.hidden = isFiltered && !group.querySelector('[data-cells]:not([hidden])');
      form.querySelector('output').textContent = shown + ' of ' + rows.length + ' rules';
    };
    form.hidden = false;
    form.addEventListener('input', apply);
    form.addEventListener('reset', () => setTimeout(apply));
    form.addEventListener('submit', event => event.preventDefault());
    apply();
  }

  addEventListener('beforeprint', () => { for (const details of all('details')) details.open = true; });
  addEventListener('hashchange', reveal);
  reveal();
})();
`
