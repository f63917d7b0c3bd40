/** Marks scripts for editors. */
const js = String.raw

/** The filter of rules. It never parses text as markup. */
export const script: string = js`'use strict';
(() => {
  const form = document.querySelector('form.filter');

  function filter() {
    const { text, ...chosen } = Object.fromEntries(new FormData(form));
    const words = text.toLowerCase().split(/\s+/);
    const rows = Array.from(form.parentElement.querySelectorAll('[data-outcome]'));
    for (const row of rows)
      row.hidden = !(
        Object.entries(chosen).every(([name, value]) => value === '' || row.dataset[name] === value) &&
        words.every(word => row.textContent.toLowerCase().includes(word))
      );
    const isFiltered = rows.some(row => row.hidden);
    for (const group of form.parentElement.querySelectorAll('.group'))
      group.hidden = isFiltered && !group.querySelector('[data-outcome]:not([hidden])');
    form.querySelector('output').textContent = rows.filter(row => !row.hidden).length + ' of ' + rows.length + ' rules';
  }

  if (form) {
    form.hidden = false;
    form.addEventListener('input', filter);
    form.addEventListener('reset', () => setTimeout(filter));
    form.addEventListener('submit', event => event.preventDefault());
    filter();
  }
  // What a link leads to may be hidden by the filter.
  addEventListener('hashchange', () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target?.closest('[hidden]')) form.reset();
    setTimeout(() => target?.scrollIntoView());
  });
})();
`
