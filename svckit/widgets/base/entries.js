
// What was typed or ticked and is not yet in what Python shows. A view that was made before it arrived must not undo it,
// nor be sent on as if it had been typed. So each request carries a number, Python shows which it has heard last, and a
// control keeps what it holds until that is its own.
const PAUSE = 150; // milliseconds in typing after which the text is sent on

function entries(model, el) {
  const { send, remove: disconnect } = connection(model, el);
  const here = Math.random().toString(36).slice(2); // which of the views there may be of the widget
  const unsent = new Map(); // the request, by what it was entered in: a control, or what holds several
  const unheard = new Map(); // the number of the last request, by the same
  const shown = new WeakMap(); // what the last view has for each control, by the same
  let number = 0;
  let timer = null;

  function flush() {
    clearTimeout(timer);
    for (const [source, request] of unsent) {
      number += 1;
      unheard.set(source, number);
      send({ ...request, entry: `${here} ${number}` });
    }
    unsent.clear();
  }
  const held = (source) => unsent.has(source) || unheard.has(source);
  const isChosen = (control) => control.type === "checkbox" || control.tagName === "SELECT"; // else typed

  function apply(control, value) {
    if (control.type === "checkbox") control.checked = value;
    else if (isChosen(control) || control.getRootNode().activeElement !== control) control.value = value;
  }

  function heard() {
    const [from, last] = model.get("heard").split(" ");
    if (from !== here) return;
    for (const [source, each] of unheard) {
      if (each > Number(last)) continue;
      unheard.delete(source);
      if (!held(source)) for (const [control, value] of shown.get(source) ?? []) apply(control, value);
    }
  }
  model.on("change:heard", heard);

  return {
    here,
    held,
    send,
    // Send what is asked for, behind all that was entered.
    ask(request, buffers) {
      flush();
      send(request, buffers);
    },
    // Forget what was entered and not sent.
    drop() {
      clearTimeout(timer);
      unsent.clear();
    },
    // Send what was entered, in the order of entry, once nobody has typed for a while; or at once.
    enter(source, request, { soon = false } = {}) {
      // A text that is refused stays, to be mended; a choice goes back.
      for (const control of shown.get(source)?.keys() ?? []) if (!isChosen(control)) shown.get(source).delete(control);
      unsent.delete(source);
      unsent.set(source, request);
      clearTimeout(timer);
      if (soon) timer = setTimeout(flush, PAUSE);
      else flush();
    },
    // Show what Python holds, except where it has not heard the last of what was entered, or one is typing.
    put(control, value, source = control) {
      if (!shown.has(source)) shown.set(source, new Map());
      shown.get(source).set(control, value);
      if (!held(source)) apply(control, value);
    },
    remove() {
      model.off("change:heard", heard);
      flush();
      disconnect();
    },
  };
}
