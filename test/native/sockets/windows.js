/** The script of test/native/windows.test.ts: the HTTP server over the device's sockets, in a heap of the device's size. */
import Listener from "embedded:io/socket/listener";
import TCP from "embedded:io/socket/tcp";
import { HttpServer } from "http-server/server";
import { pass } from "timer";
import { heapMost, heapRefused, heapUsed, lease, Peer, Server, setHeap, start, takeHeap, turn } from "./peer";

const PORT = 80;
const BROKER = 1_883;
/** ms of a round, and rounds between two handshakes. */
const ROUND = 20;
const BETWEEN = 10;
const FIRST_HOST = 10;

const bytesOf = (text) => Uint8Array.from(text, (one) => one.charCodeAt(0)).buffer;
const get = (path) => bytesOf(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
const file = { gzip: new Uint8Array(40_000), type: "text/plain", etag: '"a"', cacheControl: "no-cache" };

const handler = (exchange) => {
  if (exchange.path === "/held") return;
  if (exchange.path === "/file") return exchange.respondFile(file);
  const length = exchange.path === "/rendered" ? 4_096 : 200;
  exchange.respond(200, "text/plain", (into) => into.fill(0x61, 0, length) && length);
};

/** What a hostile client does once connected: it acknowledges nothing. */
const KINDS = {
  rendered: (peer) => peer.send(get("/rendered")),
  file: (peer) => peer.send(get("/file")),
  pipelined: (peer) => peer.send(bytesOf("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(20))),
  sending(peer) {
    peer.send(bytesOf("POST /held HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n"));
    // As many as the window of the ESP32 takes; that of Debian's lwIP is larger.
    for (let count = 0; count < 2; count++) peer.send(new ArrayBuffer(1_400));
  },
};

class Hostile extends Peer {
  constructor(kind, host) {
    super(PORT, host);
    this.kind = kind;
  }
  heard(packet) {
    const { isConnected } = this;
    super.heard(packet);
    if (isConnected || !this.isConnected) return;
    this.acknowledges = false;
    this.kind(this);
  }
}

/** So much time, in which all that is sent arrives. */
async function round() {
  pass(ROUND);
  for (let turns = 5; turns; turns--) await turn();
}

/** The memory of TLS handshakes, in blocks, each for half of the rounds between two. */
class Handshakes {
  held = 0;
  failed = 0;
  constructor(blocks, block) {
    this.blocks = blocks;
    this.block = block;
  }
  begin() {
    while (this.held < this.blocks && takeHeap(this.block)) this.held++;
    if (this.held < this.blocks) this.failed++;
  }
  end() {
    for (; this.held; this.held--) takeHeap(-this.block);
  }
}

/** A broker that takes nothing more. */
function publish() {
  const broker = new Server(BROKER);
  let room = 0;
  new TCP({
    address: "10.0.0.2",
    port: BROKER,
    onWritable(count) {
      broker.acknowledges = false;
      for (room = count; room >= 700;) room = this.write(new Uint8Array(700));
    },
  });
}

async function attack({ heap, pcbs, kinds, connections, rounds, blocks, block }) {
  setHeap(heap, pcbs);
  start();
  lease(true);
  const server = new HttpServer({ listener: { io: Listener, port: PORT }, socket: { io: TCP }, handler });
  publish();
  await round();
  const atRest = heapUsed();
  const open = (at) => new Hostile(KINDS[kinds[at % kinds.length]], FIRST_HOST + (at >> 1)).connect();
  const hostile = Array.from({ length: connections }, (_, at) => open(at));
  const handshakes = new Handshakes(blocks, block);
  for (let count = 0; count < rounds; count++) {
    if (count % BETWEEN === 0) handshakes.begin();
    hostile.forEach((peer, at) => {
      if (peer.wasReset || peer.hasEnded || count % 100 === at) hostile[at] = open(at);
    });
    await round();
    if (count % BETWEEN === BETWEEN / 2) handshakes.end();
  }
  const most = heapMost();
  const refused = heapRefused();
  handshakes.end();
  server.close();
  for (const peer of hostile) peer.reset();
  await round();
  return { atRest, most, refused, handshakes: handshakes.failed, counters: { ...server.counters } };
}

onLine((line) => {
  attack(JSON.parse(line)).then(
    (result) => say(JSON.stringify({ result })),
    (error) => say(JSON.stringify({ result: { failed: String(error) } })),
  );
});
