
// Files: the place to upload to, the list, and the chosen file.
function render({ model, el }) {
  const { root, head, ask, enter, button, check, field, put, on, stop, remove } = explorer(model, el, "Files");
  let picture = null; // the URL of the picture in the preview

  const count = element("span", { class: "svckit-muted", role: "status" });
  head.append(count, button("Refresh", "refresh"));
  const note = element("p", { class: "svckit-muted" });

  const store = element("select");
  const ids = element("div", { class: "svckit-actions" });
  const place = element("code");
  const path = element("input", { type: "text", spellcheck: "false" });
  const upload = button("Upload", "upload", { class: "svckit-main" });
  const picker = element("input", { type: "file" });
  const warning = element("p", { class: "svckit-muted", role: "status" });
  const overwrite = check("Replace a file with the same name", "overwrite");
  const replace = check("", "replace");
  const bar = element("progress", { "aria-label": "Progress" });
  const words = element("p", { role: "status" });
  const halt = button("Cancel the transfer", "stop");
  const progress = element("div", { class: "svckit-actions" }, bar, words, halt);
  const transferSlots = { upload: element("div"), preview: element("div"), download: element("div") };
  const wide = (label) => {
    label.className = "svckit-wide";
    return label;
  };
  const places = element(
    "div",
    {},
    element("h3", {}, "Place"),
    element("div", { class: "svckit-actions" }, field("Store", store, "store"), ids),
    place,
    element("h3", {}, "Upload"),
    element("div", { class: "svckit-actions" }, wide(field("Path on the kernel’s machine", path, "path")), upload),
    element("label", {}, element("span", {}, "Or a file on this computer"), picker),
    warning,
    overwrite,
    transferSlots.upload,
  );

  const search = element("input", { type: "search", placeholder: "Words", spellcheck: "false" });
  const grid = selectableRows("Files", ["File", "ID", "Bytes", "Place"], {
    cells: (row) => [row.name, row.file, row.size, row.place],
    choose: ({ place, file }) => ask({ do: "select", place, file, revision: null }),
  });
  grid.node.classList.add("svckit-files");
  const pasted = element("input", { type: "text", spellcheck: "false" });
  const title = element("h3");
  const where = element("code");
  const revision = element("select");
  const folder = element("input", { type: "text", spellcheck: "false" });
  const size = element("p", { class: "svckit-muted" });
  const text = element("pre", { tabindex: "0", "aria-label": "Preview" });
  const image = element("img", { class: "svckit-picture" });
  const revisions = element("label", {}, element("span", {}, "Revision"), revision);
  const chosen = element(
    "div",
    { class: "svckit-chosen" },
    element("header", {}, title, where),
    element("div", { class: "svckit-actions" }, revisions, button("Preview", "preview")),
    transferSlots.preview,
    element(
      "div",
      { class: "svckit-actions" },
      wide(field("Folder on the kernel’s machine", folder, "folder")),
      button("Save to the kernel’s folder", "download"),
    ),
    replace,
    transferSlots.download,
    size,
    text,
    image,
  );
  const known = element(
    "div",
    {},
    field("Search", search, "words"),
    grid.node,
    element("div", { class: "svckit-actions" }, wide(field("File ID in this place", pasted, "file_id")), button("Choose", "choose")),
    chosen,
  );
  root.append(note, element("div", { class: "svckit-columns" }, places, known));

  revision.addEventListener("change", () => {
    const { place, file } = model.get("view").chosen;
    enter(revision, { do: "select", place, file, revision: revision.value || null });
  });

  picker.addEventListener("change", async () => {
    const [file] = picker.files;
    if (!file) return;
    const max = model.get("view").maxPicked;
    if (file.size > max) {
      warning.textContent = `${file.name} is too large for the browser (at most ${max / 1e6} MB): enter its path instead`;
    } else {
      warning.textContent = "";
      ask({ do: "pick", name: file.name }, [await file.arrayBuffer()]);
    }
    picker.value = "";
  });

  function showIds(now) {
    const names = now.ids.map(({ name, label }) => ({ name, label }));
    fill(ids, names, ({ name, label }) => field(label, element("input", { type: "text", spellcheck: "false" }), name));
    now.ids.forEach(({ value }, index) => put(ids.children[index].querySelector("input"), value));
  }

  function showChosen({ chosen: now, preview }) {
    chosen.hidden = !now;
    if (!now) return;
    title.textContent = now.name;
    where.textContent = `${now.place}, ${now.file}`;
    revisions.hidden = !now.revisions.length;
    const older = now.revisions.map(({ id, size, at }) => [id, `${id}: ${size} bytes, ${at}`]);
    choices(revision, [["", "newest"], ...older]);
    put(revision, now.revision ?? "");
    size.textContent = preview.words ?? "";
    text.textContent = preview.text ?? "";
    text.hidden = !preview.text;
  }

  function showPicture() {
    const { chosen, preview } = model.get("view");
    if (picture) URL.revokeObjectURL(picture);
    picture = preview.kind ? URL.createObjectURL(new Blob([model.get("picture")], { type: preview.kind })) : null;
    image.hidden = !picture;
    image.alt = picture ? `Preview of ${chosen?.name}` : "";
    if (picture) image.src = picture;
    else image.removeAttribute("src");
  }

  on("view", () => {
    const now = model.get("view");
    count.textContent = now.count;
    note.textContent = now.note;
    note.hidden = !now.note;
    choices(store, now.stores.map(({ store: value, words }) => [value, words]));
    put(store, now.draft.store);
    showIds(now);
    place.textContent = now.place.words;
    for (const each of [upload, picker]) each.setAttribute("aria-disabled", !now.place.uploads);
    picker.disabled = !now.place.uploads;
    put(path, now.draft.path);
    put(search, now.draft.words);
    put(pasted, now.draft.file_id);
    put(folder, now.draft.folder);
    put(overwrite.control, now.draft.overwrite);
    replace.lastChild.textContent = now.replaces;
    put(replace.control, now.draft.replace);
    grid.show(now.rows);
    showChosen(now);
    showPicture();
  });
  on("job", () => {
    const { running, words: what, done, total, result, at } = model.get("job");
    if (progress.parentElement !== transferSlots[at]) transferSlots[at].append(progress);
    bar.hidden = halt.hidden = !running;
    if (total) {
      bar.max = total;
      bar.value = done;
    } else bar.removeAttribute("value");
    words.textContent = running ? what : result;
  });
  stop(() => picture && URL.revokeObjectURL(picture));
  return remove;
}

export default { render };
