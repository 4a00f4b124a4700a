
// The way from a view to Python. Where there is none any more, because the kernel has ended or begun anew, the view
// says so (theme.css), and what is asked for is not sent.
function connection(model, el) {
  const show = (live) => el.classList.toggle("jupyter-widgets-disconnected", !live);
  // What hears it is called with the front end's own view, whose model knows.
  function changed() {
    show((this?.model ?? this)?.comm_live === true);
  }
  model.on("comm_live_update", changed);
  return {
    // Says whether it was sent.
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
