// What scrolls can be reached with the keyboard, in every browser.
function markScrolling() {
  for (const region of document.querySelectorAll("article pre, article .table-wrapper, article .output")) {
    if (region.scrollWidth > region.clientWidth) region.tabIndex = 0;
    else region.removeAttribute("tabindex");
  }
}
addEventListener("load", markScrolling);
addEventListener("resize", markScrolling);
