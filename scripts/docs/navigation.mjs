// What the documentation consists of: the pages in the order of the navigation, each a Markdown file of the repository.
// @ts-check

/** @typedef {{ title: string, source: string }} Entry */

/** @type {readonly { group: string, pages: readonly Entry[] }[]} */
export const NAVIGATION = [
  {
    group: 'Guide',
    pages: [
      { title: 'Start', source: 'docs/index.md' },
      { title: 'Your own data', source: 'docs/your-data.md' },
      { title: 'Texts', source: 'docs/texts.md' },
      { title: 'The review page', source: 'docs/review.md' },
      { title: 'Vocabulary', source: 'docs/vocabulary.md' },
      { title: 'People and roles', source: 'docs/people.md' },
      { title: 'Deployment', source: 'docs/deploy.md' },
      { title: 'Scale', source: 'docs/scale.md' },
      { title: 'Errors and questions', source: 'docs/faq.md' },
    ],
  },
  {
    group: 'Understand',
    pages: [
      { title: 'Models and how they work', source: 'docs/models.md' },
      { title: 'Confidence', source: 'docs/confidence.md' },
      { title: 'Evaluation', source: 'docs/evaluation.md' },
    ],
  },
  {
    group: 'Reference',
    pages: [
      { title: 'Command line', source: 'docs/command-line.md' },
      { title: 'Library', source: 'docs/library.md' },
      { title: 'HTTP API', source: 'docs/http-api.md' },
    ],
  },
  {
    group: 'Results',
    pages: [
      { title: 'Results', source: 'RESULTS.md' },
      { title: "The paper's evaluation, DGE", source: 'docs/results/paper.md' },
      { title: 'loom', source: 'docs/results/loom.md' },
      { title: 'Texts', source: 'docs/results/text.md' },
      { title: 'Reading, engine, package', source: 'docs/results/engine.md' },
      { title: 'GPU', source: 'docs/results/gpu.md' },
      { title: 'Service and page', source: 'docs/results/service.md' },
      { title: 'Learning, vocabulary, people', source: 'docs/results/curation.md' },
      { title: 'Beyond memory', source: 'docs/results/scale.md' },
      { title: 'What did not pay', source: 'docs/results/what-did-not-pay.md' },
    ],
  },
];

/** All pages, in order. */
export const PAGES = NAVIGATION.flatMap(({ group, pages }) =>
  pages.map(({ title, source }) => ({ group, title, source, target: targetOf(source) })),
);

/**
 * Where a page lies in the built site.
 * @param {string} source
 */
export function targetOf(source) {
  if (source === 'RESULTS.md') return 'results/index.html';
  return source.replace(/^docs\//, '').replace(/\.md$/, '.html');
}
