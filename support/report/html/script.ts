/** Marks scripts for editors. */
const js = String.raw

/** Copy buttons, opening of everything and of link targets. It never parses text as markup. */
export const script: string = js`'use strict';
(() => {
  const all = selector => Array.from(document.querySelectorAll(selector));
  const announced = document.querySelector('.announced');

  function reveal() {
    let id = '';
    try { id = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    const target = id && document.getElementById(id);
    if (!target) return;
    for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    target.scrollIntoView();
  }

  async function copy(button, block) {
    const exact = block.dataset.copy;
    await navigator.clipboard.writeText(exact ? JSON.parse(exact) : block.querySelector('code').textContent);
    button.textContent = announced.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; announced.textContent = ''; }, 1500);
  }

  for (const block of all('[data-copy]')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
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

  addEventListener('hashchange', reveal);
  reveal();
})();
`
