/** The script of test/native/sockets.test.ts: the device with the product's socket classes, against peers that keep to TCP as they like. */
import Listener from "embedded:io/socket/listener";
import TCP from "embedded:io/socket/tcp";
import UDP from "embedded:io/socket/udp";
import Net from "net";
import {
  datagrams,
  failLwip,
  held,
  lease,
  look,
  offer,
  Peer,
  raw,
  serve,
  Server,
  setHeap,
  start,
  turn,
  udp,
} from "./peer";

const PORT = 80;
const bytes = (length, value = 0x61) => new Uint8Array(length).fill(value);

/** What has become of a connection. */
function watched(options) {
  const told = { read: 0, room: [], errors: 0, readable: [] };
  const tcp = new TCP({
    ...options,
    onReadable(count) {
      told.readable.push(count);
      if (options.lazy) return;
      told.read += this.read().byteLength;
    },
    onWritable(count) {
      told.room.push(count);
    },
    onError() {
      told.errors++;
    },
  });
  return { tcp, told };
}

/** A listener that takes each connection at once, and what it has taken. */
function listen(options = {}) {
  const taken = [];
  const counts = [];
  const listener = new Listener({
    port: PORT,
    onReadable(count) {
      counts.push(count);
      if (options.lazy) return;
      for (let from; (from = this.read());) {
        const address = from.remoteAddress;
        taken.push({ address, port: from.remotePort, ...watched({ from, ...options }) });
      }
    },
  });
  return { listener, taken, counts };
}

function closeAll({ listener, taken }) {
  for (const { tcp } of taken) tcp.close();
  listener.close();
}

const thrown = (call) => {
  try {
    call();
  } catch (error) {
    // XS puts the native before its words.
    return String(error).replace(/@xs_\w+: /, "");
  }
};

async function settle(turns = 5) {
  for (; turns; turns--) await turn();
}

const opened = (open) =>
  thrown(() => {
    open().close();
  }) ?? "opened";

/** What a peer's connection and datagram come to. */
async function served(server, socket) {
  const peer = new Peer(PORT).connect().send(bytes(10));
  udp(9, 161, bytes(5));
  await settle();
  const one = server.taken.pop();
  one?.tcp.close();
  return { isConnected: peer.isConnected, read: one?.told.read, datagram: socket.read()?.byteLength };
}

/** These begin before the TCP/IP stack runs. */
const early = {
  /** Sockets before the stack runs, without an address, with one, with another lease, and with another address. */
  async leases() {
    const every = [
      () => new Listener({ port: PORT }),
      () => new UDP({ port: 161 }),
      () => new TCP({ address: "10.0.0.2", port: 1 }),
    ];
    const before = every.map(opened);
    start();
    const unaddressed = every.map(opened);
    const server = listen();
    const socket = new UDP({ port: 161 });
    const send = () => socket.write(bytes(10), "10.0.0.2", 162);
    unaddressed.push(thrown(send));
    lease(1);
    const first = await served(server, socket);
    lease(0);
    const lost = [opened(() => new UDP({ port: 162 })), thrown(send)];
    lease(1);
    const second = await served(server, socket);
    send();
    // It outlives neither the loss nor the other address.
    const peer = new Peer(PORT).connect();
    await settle();
    const kept = server.taken.pop();
    lease(0);
    await settle();
    lease(7);
    const other = await served(server, socket);
    const moved = { ...other, wasConnected: peer.isConnected, errors: kept?.told.errors };
    closeAll(server);
    socket.close();
    await settle();
    return { before, unaddressed, first, lost, second, moved };
  },

  async rawCall({ what }) {
    start();
    fillQueue(0);
    raw(what);
  },

  /** The name servers before the stack runs, of one lease, of another, and after its loss. */
  async nameServers() {
    const told = [Net.get("DNS")];
    start();
    for (const servers of [[], ["192.0.2.1", "192.0.2.2"], ["192.0.2.3"], []]) {
      serve(...servers);
      told.push(Net.get("DNS"));
    }
    return { told };
  },

  /** The same of the time server. */
  async timeServers() {
    const told = [Net.get("NTP")];
    start();
    for (const servers of [[], ["192.0.2.1", "192.0.2.2"], ["192.0.2.3"], []]) {
      offer(...servers);
      told.push(Net.get("NTP"));
    }
    return { told: told.map((one) => one ?? null) };
  },

  /** The network mask before the stack runs, without an address, of a lease, and after its loss. */
  async masks() {
    const told = [Net.get("MASK")];
    start();
    told.push(Net.get("MASK"));
    for (const host of [7, 0]) {
      lease(host);
      told.push(Net.get("MASK"));
    }
    return { told: told.map((one) => one ?? null) };
  },

  async earlyCall() {
    lease(1);
  },
};

const scenarios = {
  /** Peers send what nobody reads; then it is read. */
  async unread({ connections, segments, length }) {
    const server = listen({ lazy: true });
    const peers = Array.from({ length: connections }, () => new Peer(PORT).connect());
    await settle();
    const sockets = peers.map(() => server.listener.read());
    for (let count = 0; count < segments; count++) for (const peer of peers) peer.send(bytes(length, count & 0xff));
    await settle();
    const most = held();
    const isRight = sockets.every((tcp) => {
      const all = new Uint8Array(tcp.read());
      return all.length === segments * length && all.every((byte, at) => byte === (Math.floor(at / length) & 0xff));
    });
    await settle();
    const free = held() === 0;
    for (const tcp of sockets) tcp.close();
    server.listener.close();
    await settle();
    return { held: most, isRight, free };
  },

  /** One connection: there and back, to the end. */
  async walk() {
    const server = listen();
    const peer = new Peer(PORT).connect();
    await settle();
    const [one] = server.taken;
    peer.send(bytes(100));
    await settle();
    const room = one.tcp.write(bytes(1_000));
    await settle();
    peer.end();
    await settle();
    const result = { ...one.told, address: one.address, port: one.port === peer.port, room, length: peer.length };
    one.tcp.close();
    one.tcp.close();
    const closed = [
      thrown(() => one.tcp.read()),
      thrown(() => one.tcp.write(bytes(1))),
      thrown(() => one.tcp.remoteAddress),
    ];
    await settle();
    server.listener.close();
    server.listener.close();
    const again = new Peer(PORT).connect();
    await settle();
    return { ...result, hasEnded: peer.hasEnded, closed, refused: again.wasReset };
  },

  /** Bytes come with the acknowledgement of the answer before, as a client's next request does, and are answered at once. */
  async answerWhileRoomIsTold({ length }) {
    const told = {};
    const listener = new Listener({
      port: PORT,
      onReadable() {
        told.tcp = new TCP({
          from: this.read(),
          onReadable() {
            this.read();
            told.left = this.write(bytes(length));
          },
          onWritable(count) {
            told.room = count;
          },
        });
      },
    });
    const peer = new Peer(PORT).connect();
    await settle();
    const full = told.room;
    peer.acknowledges = false;
    told.tcp.write(bytes(100));
    await settle();
    told.room = undefined;
    peer.acknowledged += 100;
    peer.send(bytes(10));
    await settle();
    told.tcp.close();
    listener.close();
    await settle();
    return { full, left: told.left, room: told.room ?? 0 };
  },

  /** One connection after another. */
  async many({ times }) {
    const server = listen();
    let read = 0;
    for (let count = times; count; count--) {
      const peer = new Peer(PORT).connect().send(bytes(10));
      await settle(3);
      const one = server.taken.pop();
      one.tcp.write(bytes(10));
      await settle(2);
      read += peer.length;
      if (count & 1) one.tcp.close();
      else {
        peer.reset();
        await settle(2);
        if (one.told.errors !== 1) throw new Error("not told");
        one.tcp.close();
      }
    }
    await settle();
    server.listener.close();
    return { read };
  },

  /** More than may wait come at once; those that are reset before anybody takes them are not there. */
  async resetBeforeAccept({ connections }) {
    const server = listen({ lazy: true });
    const peers = Array.from({ length: connections }, () => new Peer(PORT).connect());
    look();
    const answered = peers.filter(({ isConnected, wasReset }) => isConnected && !wasReset);
    for (const peer of answered.filter((_, at) => at % 2)) peer.reset();
    await settle();
    let taken = 0;
    for (let tcp; (tcp = server.listener.read()); taken++) tcp.close();
    await settle();
    const nothing = server.listener.read() === undefined;
    const late = new Peer(PORT).connect();
    await settle();
    const tcp = server.listener.read();
    tcp?.close();
    server.listener.close();
    await settle();
    return { answered: answered.length, taken, nothing, late: late.isConnected && tcp !== undefined };
  },

  /** As many connections are read as are reported. */
  async reports({ connections }) {
    const counts = [];
    let taken = 0;
    const listener = new Listener({
      port: PORT,
      onReadable(count) {
        counts.push(count);
        for (; count; count--) {
          const tcp = this.read();
          if (tcp) taken++;
          tcp?.close();
        }
      },
    });
    for (let count = connections; count; count--) new Peer(PORT).connect();
    await settle();
    listener.close();
    await settle();
    return { counts, taken };
  },

  /** SYNs of addresses that never answer, and resets of what is not there. */
  async synStorm({ times }) {
    const server = listen();
    for (let count = times; count; count--) {
      const peer = new Peer(PORT);
      peer.heard = () => undefined;
      peer.syn();
      if (count % 3 === 0) peer.reset();
      if (count % 50 === 0) await turn();
    }
    await settle();
    const { taken } = server;
    closeAll(server);
    await settle();
    const next = listen();
    const peer = new Peer(PORT).connect();
    await settle();
    const works = next.taken.length === 1 && peer.isConnected;
    closeAll(next);
    return { taken: taken.length, works };
  },

  /** The listener goes while connections wait in it. */
  async closePending() {
    const server = listen({ lazy: true });
    const peers = Array.from({ length: 5 }, () => new Peer(PORT).connect());
    server.listener.close();
    await settle();
    return { reset: peers.filter(({ wasReset }) => wasReset).length, counts: server.counts.length };
  },

  /** The peer sends byte by byte, and nobody reads. */
  async bytewise({ count }) {
    const server = listen({ lazy: true });
    const peer = new Peer(PORT).connect();
    await settle();
    const tcp = server.listener.read();
    for (let at = 0; at < count; at++) peer.send(bytes(1, at & 0xff));
    await settle();
    const all = new Uint8Array(tcp.read());
    let isRight = all.length === count;
    for (let at = 0; at < all.length; at++) if (all[at] !== (at & 0xff)) isRight = false;
    tcp.close();
    server.listener.close();
    return { isRight };
  },

  /** All ways to read. */
  async reads() {
    const server = listen({ lazy: true });
    const peer = new Peer(PORT).connect().send(bytes(100)).send(bytes(50, 0x62));
    await settle();
    const tcp = server.listener.read();
    const view = new Uint8Array(120);
    const result = [
      tcp.read(10).byteLength,
      tcp.read(view),
      String.fromCharCode(view[89], view[90]),
      thrown(() => tcp.read(21)),
      thrown(() => tcp.read(new Uint8Array(0))),
      tcp.read().byteLength,
      tcp.read(),
    ];
    peer.reset();
    await settle();
    result.push(
      thrown(() => tcp.write(bytes(1))),
      tcp.remoteAddress,
    );
    tcp.close();
    server.listener.close();
    return { result };
  },

  /** The peer takes nothing: what is written stays within lwIP's buffer. */
  async stops() {
    const server = listen();
    const peer = new Peer(PORT);
    peer.window = 0;
    peer.connect();
    await settle();
    const [{ tcp, told }] = server.taken;
    let written = 0;
    for (let room = told.room[0]; room > 0;) {
      const length = Math.min(room, 1_000);
      room = tcp.write(bytes(length));
      written += length;
    }
    const full = thrown(() => tcp.write(bytes(1)));
    await settle();
    const before = peer.length;
    tcp.close();
    server.listener.close();
    await settle();
    peer.reset();
    await settle();
    return { written, full, before };
  },

  /** Connections closed with something to send to peers that take nothing: who is given up. */
  async orphans({ connections }) {
    const server = listen();
    const peers = Array.from({ length: connections }, () => new Peer(PORT).connect());
    await settle();
    for (const peer of peers) peer.acknowledges = false;
    for (const { tcp } of server.taken) {
      tcp.write(bytes(100));
      tcp.close();
    }
    await settle();
    const reset = peers.map(({ wasReset }) => wasReset);
    server.listener.close();
    for (const peer of peers) peer.reset();
    await settle();
    return { reset };
  },

  /** Clients have every PCB: first connected, then closed by the device without their end; then the device connects, and a client. */
  async fullOfClients({ pcbs }) {
    setHeap(0, pcbs);
    const server = listen();
    const peers = Array.from({ length: pcbs }, () => new Peer(PORT).connect());
    await settle();
    const { length } = server.taken;
    const late = new Peer(PORT).connect();
    await settle();
    const broker = new Server(1_883);
    const own = watched({ address: "10.0.0.2", port: 1_883 });
    await settle(10);
    const result = { length, late: late.isConnected, own: own.told.room.length > 0 };
    result.reset = peers.filter(({ wasReset }) => wasReset).length;
    for (const { tcp } of server.taken) tcp.close();
    const next = new Peer(PORT).connect();
    await settle();
    result.next = next.isConnected;
    own.tcp.close();
    for (const peer of [...peers, late, next, broker]) peer.reset();
    closeAll(server);
    await settle();
    setHeap(0, 0);
    return result;
  },

  /** Clients send what nobody reads: how many of them are reset. */
  async unreadAll({ connections, length }) {
    const server = listen({ lazy: true });
    const peers = Array.from({ length: connections }, () => new Peer(PORT).connect());
    await settle();
    const sockets = peers.map(() => server.listener.read());
    for (const peer of peers) for (let left = length; left > 0; left -= 1_000) peer.send(bytes(Math.min(left, 1_000)));
    await settle();
    const reset = peers.map(({ wasReset }) => wasReset);
    for (const tcp of sockets) tcp.close();
    server.listener.close();
    await settle();
    return { reset };
  },

  /** What was sent before the end is read before the end is told. */
  async endAfterData() {
    const server = listen({ lazy: true });
    const peer = new Peer(PORT).connect().send(bytes(10)).end();
    await settle();
    const accepted = server.listener.read();
    const { tcp, told } = watched({ from: accepted, lazy: true });
    await settle();
    const before = told.errors;
    const answer = thrown(() => tcp.write(bytes(5)));
    tcp.read();
    await settle();
    const result = { before, after: told.errors, old: thrown(() => accepted.read()), answer };
    tcp.close();
    server.listener.close();
    return result;
  },

  /** A callback closes its own socket, or the listener. */
  async closeInCallbacks() {
    const order = [];
    const listener = new Listener({
      port: PORT,
      onReadable() {
        const from = this.read();
        new TCP({
          from,
          onReadable() {
            order.push("readable");
            this.close();
          },
          onWritable() {
            order.push("writable");
          },
          onError() {
            order.push("error");
          },
        });
        this.close();
      },
    });
    const peer = new Peer(PORT).connect().send(bytes(10));
    await settle();
    return { order, isClosed: thrown(() => listener.read()) !== undefined, ended: peer.hasEnded || peer.wasReset };
  },

  /** The device connects: to one that answers, to one that refuses, to one that is not there and is given up. */
  async connects() {
    const server = new Server(1_883);
    const good = watched({ address: "10.0.0.2", port: 1_883, nodelay: true, target: 7 });
    const early = thrown(() => good.tcp.write(bytes(1)));
    await settle(10);
    const room = good.tcp.write(bytes(500));
    await settle();
    server.send(bytes(20));
    await settle();
    const refusing = new Server(1_884);
    refusing.heard = function ({ from, sequence }) {
      this.to = from;
      this.acknowledged = sequence + 1;
      this.reset();
    };
    const bad = watched({ address: "10.0.0.2", port: 1_884 });
    await settle(10);
    const never = watched({ address: "10.0.0.2", port: 1_885 });
    await settle();
    never.tcp.close();
    const result = {
      early,
      room: room > 0,
      target: good.tcp.target,
      heard: server.length,
      read: good.told.read,
      refused: bad.told.errors,
      given: never.told.errors,
      wrong: [
        thrown(() => new TCP({ address: "nobody", port: 1 })),
        thrown(() => new TCP({ address: "10.0.0.2", port: 65_536 })),
        thrown(() => new TCP({ address: "10.0.0.2" })),
        thrown(() => new TCP({ address: "10.0.0.2", port: 1, format: "number" })),
        thrown(() => new TCP({ address: "10.0.0.2", port: 1, onReadable: 1 })),
        thrown(() => new TCP({ from: {} })),
        thrown(() => new TCP().read()),
      ],
    };
    good.tcp.close();
    bad.tcp.close();
    return result;
  },

  /** Each allocation of the classes, and then each of lwIP's, fails once on the way through a connection. */
  async memory({ most, ofLwip }) {
    const fail = ofLwip ? failLwip : failAllocations;
    let complete = 0;
    for (let after = 0; after < most; after++) {
      let server;
      let socket;
      fail(after);
      try {
        server = listen();
        const peer = new Peer(PORT).connect().send(bytes(100));
        await settle(3);
        server.taken[0]?.tcp.write(bytes(500));
        socket = new UDP({ port: 161 });
        udp(9, 161, bytes(10));
        await settle(2);
        socket.read();
        socket.write(bytes(100), "10.0.0.2", 9);
        const { tcp } = watched({ address: "10.0.0.2", port: 1_886 });
        await settle(2);
        tcp.close();
        peer.end();
        await settle(2);
        if (peer.isConnected && server.taken.length && server.taken[0].told.read === 100) complete++;
      } catch (error) {
        if (!/no memory|no connection|send failed/.test(String(error))) throw error;
      }
      fail(-1);
      await settle(2);
      if (server) closeAll(server);
      socket?.close();
      await settle(2);
    }
    return { complete };
  },

  /** More datagrams than are kept. */
  async flood({ times, length }) {
    const counts = [];
    const socket = new UDP({ port: 161, onReadable: (count) => void counts.push(count) });
    for (let at = 0; at < times; at++) udp(1_000 + at, 161, bytes(length, at & 0xff));
    await settle();
    const ports = [];
    const right = [];
    for (let packet; (packet = socket.read());) {
      ports.push(packet.port);
      right.push(packet.byteLength === length && packet.address === "10.0.0.2");
    }
    udp(5, 161, bytes(3));
    udp(6, 161, bytes(0));
    await settle();
    const next = [socket.read().byteLength, socket.read().byteLength];
    datagrams.length = 0;
    socket.write(bytes(1_000), "10.0.0.2", 162);
    await settle();
    socket.add("224.0.0.251");
    socket.remove("224.0.0.251");
    const wrong = [
      thrown(() => socket.write(bytes(1), "nobody", 1)),
      thrown(() => socket.write(bytes(1), "10.0.0.2", 65_536)),
      thrown(() => socket.add("10.0.0.2")),
      thrown(() => new UDP({ port: 161 })),
      thrown(() => new UDP({ port: -1 })),
      thrown(() => new UDP({ timeToLive: 256 })),
    ];
    for (let at = 0; at < times; at++) udp(1_000 + at, 161, bytes(length));
    socket.close();
    socket.close();
    const closed = thrown(() => socket.read());
    await settle();
    return { counts, ports, isRight: right.every((one) => one), next, sent: datagrams, wrong, closed };
  },

  /** Everything arrives while XS's queue has `left` places, and the script takes nothing out. */
  async fullQueue({ connections, segments, length, left }) {
    const server = listen();
    const ports = [];
    const socket = new UDP({
      port: 161,
      onReadable() {
        for (let packet; (packet = this.read());) ports.push(packet.port);
      },
    });
    const peers = Array.from({ length: connections }, () => new Peer(PORT).connect());
    const broker = new Server(1_883);
    const own = watched({ address: "10.0.0.2", port: 1_883 });
    await settle(10);
    const taken = [...server.taken];
    const [early, closed, ended, reset, ...others] = peers;
    holdMessages(true);
    // One is closed while its message is in the queue, one while there is no room for its message.
    early.send(bytes(length));
    taken[0].tcp.close();
    fillQueue(left);
    closed.send(bytes(length));
    taken[1].tcp.close();
    for (let count = segments; count; count--)
      for (const peer of [ended, reset, ...others]) {
        peer.send(bytes(length));
        await turn();
      }
    for (let count = 0; count < 3; count++) udp(1_000 + count, 161, bytes(5));
    broker.send(bytes(length));
    ended.end();
    reset.reset();
    const late = [new Peer(PORT).connect(), new Peer(PORT).connect()];
    await settle();
    taken.at(-1).tcp.write(bytes(length));
    const before = taken.reduce((sum, { told }) => sum + told.read + told.errors, 0) + ports.length;
    const answered = late.filter(({ isConnected }) => isConnected).length;
    const room = roomInQueue();
    holdMessages(false);
    const all = segments * length;
    const isRead = ({ told }) => told.read === all;
    while (
      !taken.slice(2).every(isRead) ||
      !(taken[2].told.errors && taken[3].told.errors && own.told.read && ports.length && peers.at(-1).length) ||
      server.taken.length < connections + 2
    )
      await turn();
    await settle();
    const result = {
      before,
      answered,
      room,
      closed: taken.slice(0, 2).map(({ told }) => told.readable),
      errors: taken.map(({ told }) => told.errors),
      ports,
      own: own.told.read,
      written: peers.at(-1).length,
    };
    // It works on.
    for (const peer of late) peer.send(bytes(length));
    await settle();
    result.late = server.taken.slice(-2).map(({ told }) => told.read);
    own.tcp.close();
    socket.close();
    closeAll(server);
    await settle();
    return result;
  },

  /** Objects that nobody has closed are collected at the end: the sanitizer looks. */
  async leftOpen() {
    const server = listen();
    new Peer(PORT).connect().send(bytes(10));
    new UDP({ port: 161 });
    udp(1, 161, bytes(10));
    collect();
    await settle();
    return { taken: server.taken.length };
  },
};

onLine((line) => {
  const { run, ...options } = JSON.parse(line);
  if (!early[run]) {
    start();
    lease(1);
  }
  (early[run] ?? scenarios[run])(options).then(
    (result) => say(JSON.stringify({ run, ...result, mostMessages: mostMessages() })),
    (error) => say(JSON.stringify({ run, failed: String(error) })),
  );
});
