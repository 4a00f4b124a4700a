// Leads the sockets of a Node program to a fake if the host is one of its own: `fetch` has no variable for a proxy.
// Requests to other hosts are refused, as the proxy does, but for those that may leave the machine.
const { Socket } = require("node:net");
const led = JSON.parse(process.env.FAKE_LED_HOSTS ?? '{"hosts": []}');
const { connect } = Socket.prototype;
const WEB = new Set([80, 443]);

Socket.prototype.connect = function (...given) {
  const list = Array.isArray(given[0]) ? given[0] : given; // as Node's own functions pass them on
  const options = typeof list[0] === "object" ? list[0] : { port: list[0], host: list[1] };
  const host = typeof options?.host === "string" ? options.host.toLowerCase() : undefined;
  if (led.hosts.includes(host)) {
    list.splice(0, list[0] === options ? 1 : 2, { ...options, host: led.address, port: led.port, lookup: undefined });
  } else if (led.refusal && host && WEB.has(Number(options.port)) && !led.free.includes(host)) {
    process.nextTick(() => this.destroy(new Error(led.refusal.replaceAll("HOST", host))));
    return this;
  }
  return connect.apply(this, given);
};
