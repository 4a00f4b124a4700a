
// The connection from a view to Python. Once it is lost, because the kernel stopped or restarted, the view says so
// (theme.css) and sends no more requests.
function connection(model, el) {
  const show = (live) => el.classList.toggle("jupyter-widgets-disconnected", !live);
  // The handler is called with the front end's own view, whose model knows the state.
  function changed() {
    show((this?.model ?? this)?.comm_live === true);
  }
  model.on("comm_live_update", changed);
  return {
    // Returns whether the request was sent.
    send(request, buffers) {
      try {
        model.send(request, undefined, buffers);
      } catch {
        show(false);
        return false;
      }
      return true;
    },
    remove: () => model.off("comm_live_update", changed),
  };
}
