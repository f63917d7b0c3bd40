const grouped = { groupBy: [{ label: 'operation' }], groupByMessage: false }

/** How the Allure report is made: one file that opens from disk, its behaviours by operation and family, its history across runs. */
export default {
  name: 'Store conformance',
  output: 'allure-report',
  historyPath: 'history.jsonl',
  appendHistory: true,
  historyLimit: 20,
  // They are about the machine that judged.
  hideLabels: ['framework', 'language', 'host', 'thread', 'package', 'parentSuite', 'suite'],
  // The first that matches has the result.
  categories: [
    { ...grouped, name: 'Violations of the interface', expand: true, matchers: { statuses: ['failed'] } },
    { ...grouped, name: 'Could not be told', matchers: { statuses: ['broken'] } },
    { ...grouped, name: 'Expected failures', matchers: { labels: { expected: 'yes' } } },
    { ...grouped, name: 'Advice that is not followed', matchers: { labels: { outcome: 'failed' } } },
    { ...grouped, name: 'Advice that could not be told', matchers: { labels: { outcome: 'cantTell' } } },
    { ...grouped, name: 'Not tested', matchers: { labels: { outcome: 'untested' } } },
    { ...grouped, name: 'Not applicable', matchers: { labels: { outcome: 'inapplicable' } } },
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
