// Leads the sockets of a Node program to a fake, where the hosts are those of the fake: `fetch` has no variable for a proxy.
const { Socket } = require("node:net");
const { hosts, address, port } = JSON.parse(process.env.FAKE_LED_HOSTS ?? '{"hosts": []}');
const { connect } = Socket.prototype;

Socket.prototype.connect = function (...given) {
  const list = Array.isArray(given[0]) ? given[0] : given; // as Node's own functions pass them on
  const [options] = list;
  const host = typeof options === "object" ? options?.host : typeof list[1] === "string" ? list[1] : undefined;
  if (hosts.includes(host?.toLowerCase())) {
    const led = { host: address, port, lookup: undefined };
    if (typeof options === "object") list[0] = { ...options, ...led };
    else list.splice(0, 2, led);
  }
  return connect.apply(this, given);
};
