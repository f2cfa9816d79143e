/** The other end of the wire: peers that keep to TCP as far as the test wants them to. */
const FIN = 1;
const SYN = 2;
const RST = 4;
const ACK = 16;
const SEEN = 64;
const TCP = 6;
const UDP = 17;

const inject = native("xs_wire_tcp");
const takeOne = native("xs_wire_take");
export const udp = native("xs_wire_udp");
/** The TCP/IP stack and the address of its interface. */
export const start = native("xs_wire_start");
export const lease = native("xs_wire_lease");
export const raw = native("xs_wire_raw");
export const serve = native("xs_wire_serve");
export const offer = native("xs_wire_offer");
/** Receive buffers of the driver in use. */
export const held = native("xs_wire_held");
/** A heap for lwIP and what it receives, and what has become of it. */
export const setHeap = native("xs_wire_heap");
export const takeHeap = native("xs_wire_takeHeap");
export const heapUsed = native("xs_wire_heapUsed");
export const heapMost = native("xs_wire_heapMost");
export const heapRefused = native("xs_wire_heapRefused");
export const failLwip = native("xs_wire_fail");

const NOTHING = new ArrayBuffer(0);
const peers = new Map();
export const datagrams = [];

/** Gives each packet of lwIP to the peer that it is for. */
export function look() {
  for (let bytes; (bytes = takeOne());) {
    const view = new DataView(bytes);
    const length = view.getUint16(SEEN);
    if (view.getUint8(9) === UDP) datagrams.push({ port: view.getUint16(22), length: length - 28 });
    if (view.getUint8(9) !== TCP) continue;
    const header = (view.getUint8(32) >> 4) * 4;
    peers.get(view.getUint16(22))?.heard({
      from: view.getUint16(20),
      sequence: view.getUint32(24),
      acknowledged: view.getUint32(28),
      flags: view.getUint8(33),
      length: length - 20 - header,
    });
  }
}

/** A turn of the device's message loop, after which lwIP's answers are there. */
export const turn = (milliseconds = 0) =>
  new Promise((resolve) =>
    setTimer(() => {
      look();
      resolve();
    }, milliseconds),
  );

export class Peer {
  static next = 20_000;
  window = 0xffff;
  /** Bytes of the device's that have come. */
  length = 0;
  wasReset = false;
  hasEnded = false;
  isConnected = false;
  /** It acknowledges what comes. */
  acknowledges = true;

  /** `host`: of 10.0.0.0/24. */
  constructor(to, host = 2) {
    this.host = host;
    this.port = Peer.next++;
    this.to = to;
    this.sequence = 1000;
    this.acknowledged = 0;
    peers.set(this.port, this);
  }
  packet(flags, content = NOTHING) {
    inject(this.port, this.to, flags, this.sequence, this.acknowledged, this.window, content, this.host);
  }
  syn() {
    this.packet(SYN);
    return this;
  }
  /** Until the handshake is complete, as far as this side goes. */
  connect() {
    this.syn();
    look();
    return this;
  }
  send(content) {
    this.packet(ACK | 8, content);
    this.sequence += content.byteLength;
    return this;
  }
  end() {
    this.packet(FIN | ACK);
    this.sequence++;
    return this;
  }
  reset() {
    this.packet(RST | ACK);
    return this;
  }
  heard({ from, sequence, flags, length }) {
    if (flags & RST) this.wasReset = true;
    else if (flags & SYN) {
      this.to = from;
      this.acknowledged = sequence + 1;
      // Of the device: to be answered; else the answer.
      if (flags & ACK) {
        this.sequence++;
        this.packet(ACK);
      } else {
        this.packet(SYN | ACK);
        this.sequence++;
      }
      this.isConnected = true;
    } else if (sequence === this.acknowledged && (length || flags & FIN)) {
      if (!this.acknowledges) return;
      this.length += length;
      this.acknowledged += length + (flags & FIN ? 1 : 0);
      if (flags & FIN) this.hasEnded = true;
      this.packet(ACK);
    }
  }
}

/** A server at `port` of 10.0.0.2, for the device's own connections. */
export class Server extends Peer {
  constructor(port) {
    super(0);
    peers.delete(this.port);
    this.port = port;
    peers.set(port, this);
  }
}
