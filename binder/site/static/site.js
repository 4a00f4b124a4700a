// What scrolls can be reached with the keyboard, in every browser.
function markScrolling() {
  for (const region of document.querySelectorAll("article pre, article .table-wrapper, article .output")) {
    if (region.scrollWidth > region.clientWidth) region.tabIndex = 0;
    else region.removeAttribute("tabindex");
  }
}
addEventListener("load", markScrolling);
addEventListener("resize", markScrolling);

// A long table has a field that shows only the rows with all words in it.
function addFilters() {
  for (const table of document.querySelectorAll("article .table-wrapper > table")) {
    const rows = [...table.tBodies[0].rows];
    if (rows.length < 30) continue;
    const field = document.createElement("input");
    const count = document.createElement("output");
    field.type = "search";
    field.placeholder = field.ariaLabel = "Filter this table";
    field.addEventListener("input", () => {
      const words = field.value.toLowerCase().split(/\s+/);
      for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
      count.value = `${rows.filter((row) => !row.hidden).length} of ${rows.length}`;
    });
    const bar = document.createElement("div");
    bar.className = "filter";
    bar.append(field, count);
    table.parentElement.before(bar);
  }
}
addEventListener("DOMContentLoaded", addFilters);
