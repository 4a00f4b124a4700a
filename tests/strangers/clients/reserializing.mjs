// The server of a bot, as many are written with a body parser: it has only the parsed event, and writes it again to
// check the signature. It prints its port when it listens.
import { createHmac } from "node:crypto";
import { createServer } from "node:http";

const server = createServer((request, response) => {
  const pieces = [];
  request.on("data", (piece) => pieces.push(piece));
  request.on("end", () => {
    const event = JSON.parse(Buffer.concat(pieces).toString());
    const signature = createHmac("sha256", process.env.BOT_SECRET).update(JSON.stringify(event)).digest("base64");
    const right = request.headers["x-service-signature"] === signature;
    response.writeHead(right ? 200 : 401).end();
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
