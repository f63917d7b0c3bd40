/** Marks scripts for editors. */
const js = String.raw

/** Filter of the rules, copy buttons, opening of everything and of link targets. It never parses text as markup. */
export const script: string = js`'use strict';
(() => {
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  const announced = document.querySelector('.announced');

  function filter() {
    const controls = document.querySelector('.filter');
    if (!controls) return;
    const [input, select] = all('input, select', controls);
    const rules = all('.rule');
    const sentences = new Map(rules.map(rule => {
      const clause = rule.closest('.clause').id.replace('clause-', '');
      return [rule, (rule.textContent + ' ' + clause + ' §' + clause).toLowerCase()];
    }));
    controls.addEventListener('input', () => {
      const words = input.value.trim().toLowerCase().split(/\s+/);
      const active = input.value.trim() !== '' || select.value !== '';
      for (const rule of rules)
        rule.hidden = active && !((select.value === '' || rule.dataset.outcome === select.value)
          && words.every(word => sentences.get(rule).includes(word)));
      // Inner groups first, because an outer group is hidden if all its inner groups are.
      for (const group of all('[data-group]').reverse()) group.hidden = active && !group.querySelector('.rule:not([hidden])');
      if (active) for (const details of all('.clause details')) details.open = true;
      controls.querySelector('.found').textContent =
        active ? rules.filter(rule => !rule.hidden).length + ' of ' + rules.length + ' rules' : '';
    });
    controls.hidden = false;
  }

  function reveal() {
    let id = '';
    try { id = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    const target = id && document.getElementById(id);
    if (!target) return;
    if (target.closest('[hidden]'))
      for (const each of all('.rule[hidden], [data-group][hidden]')) each.hidden = false;
    for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
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

  for (const button of all('[data-action=expand]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const open = button.textContent === 'Open all';
      for (const details of all('details')) details.open = open;
      button.textContent = open ? 'Close all' : 'Open all';
    });
  }

  filter();
  addEventListener('hashchange', reveal);
  reveal();
})();
`
