// How Sphinx's search sorts what it finds: the words of a page's keywords, then titles, pages, and names of the API.
globalThis.Scorer = {
  score: ([page, , , , score, , kind]) =>
    kind === "object" ? score - 100 : page.startsWith("binder/site/api/") ? score - 50 : score,
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};

// Sphinx finds a page by a keyword that contains the query. A question contains keywords instead, as "how do I simulate
// an outage" has "outage": pages with a third of its words in such keywords come first, those with most of them before.
// oxlint-disable no-underscore-dangle -- these names are Sphinx's
const searchWhole = Search._performSearch;
Search._performSearch = (query, ...terms) => {
  const { docnames, filenames, indexentries, titles } = Search._index;
  const stemmer = new Stemmer();
  const split = (text) => splitQuery(text.toLowerCase());
  const stem = (words) => words.map((word) => stemmer.stemWord(word));
  const asked = new Set(stem(split(query)));
  const counted = new Set(stem(split(query).filter((word) => !stopwords.has(word))));
  const covered = {}; // by the number of the page
  for (const [keyword, entries] of Object.entries(indexentries)) {
    const words = stem(split(keyword));
    if (!words.every((word) => asked.has(word))) continue;
    for (const [page, , isKeyword] of entries) {
      if (isKeyword) for (const word of words) if (counted.has(word)) (covered[page] ??= new Set()).add(word);
    }
  }
  const best = Object.entries(covered)
    .map(([page, words]) => [docnames[page], titles[page], "", null, words.size / counted.size, filenames[page], "index"])
    .filter(([, , , , share]) => share > 0.3)
    .toSorted((one, other) => one[4] - other[4]);
  const pages = new Set(best.map(([page]) => page));
  return [...searchWhole(query, ...terms).filter(([page, , anchor]) => anchor || !pages.has(page)), ...best];
};
