const grouped = { groupBy: [{ label: 'operation' }], groupByMessage: false }

/** One file that opens from disk, grouped by operation and family, with the history of earlier runs. */
export default {
  name: 'Store conformance',
  output: 'allure-report',
  historyPath: 'history.jsonl',
  appendHistory: true,
  historyLimit: 20,
  // These labels are about the machine that ran the tests.
  hideLabels: ['framework', 'language', 'host', 'thread', 'package', 'parentSuite', 'suite'],
  // A result belongs to the first category that matches.
  categories: [
    { ...grouped, name: 'Failed', expand: true, matchers: { statuses: ['failed'] } },
    { ...grouped, name: 'Could not be determined', matchers: { statuses: ['broken'] } },
    { ...grouped, name: 'Expected failures', matchers: { labels: { expected: 'yes' } } },
    { ...grouped, name: 'Advice not followed', matchers: { labels: { standing: 'advice' } } },
    { ...grouped, name: 'Failed, but newer than the profile', matchers: { labels: { standing: 'newer' } } },
    {
      ...grouped,
      name: 'Advice that could not be determined',
      matchers: { labels: { standing: 'cantTell' } },
    },
    { ...grouped, name: 'Not tested', matchers: { labels: { standing: 'untested' } } },
    { ...grouped, name: 'Not applicable', matchers: { labels: { standing: 'inapplicable' } } },
  ],
  plugins: {
    awesome: {
      options: {
        reportName: 'Store conformance',
        singleFile: true,
        reportLanguage: 'en',
        groupBy: ['epic', 'feature', 'story'],
        defaultSortBy: 'status,asc',
      },
    },
  },
}
