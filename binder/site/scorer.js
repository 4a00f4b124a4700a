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
