/** One file that opens from disk, grouped by operation and clause, with the history of earlier runs. */
export default {
  name: 'Store conformance',
  output: 'allure-report',
  historyPath: 'history.jsonl',
  appendHistory: true,
  historyLimit: 20,
  // These labels are about the machine that ran the tests.
  hideLabels: ['framework', 'language', 'host', 'thread', 'package', 'parentSuite', 'suite'],
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
