/** A small MIB for the tests. */
import { SNMP_GROUP, SnmpCounters } from "snmp-agent/counters";
import { arcs } from "snmp-agent/oid";
import { Responder } from "snmp-agent/responder";
import type { Subtree } from "snmp-agent/types";
import { parse, request, type Answer, type Asked } from "../support/peers/snmp";

export class Toy {
  readonly counters = new SnmpCounters();
  /** Rows of the table. */
  rows: number[] = [1, 2, 5];
  /** Objects of the scalars that are not there. */
  absent: number[] = [];
  text = "toy";
}

/** 1.3.6.1.4.1.99.1: 1 an integer, 2 a text, 4 one that throws, 7 one that throws only when it is there. */
export const SCALARS: Subtree<Toy> = {
  oid: arcs(1, 3, 6, 1, 4, 1, 99, 1),
  objects: arcs(1, 2, 4),
  read(value, toy, object) {
    if (toy.absent.includes(object)) return;
    if (object === 1) return value.integer(-7);
    if (object === 2) return value.text(toy.text);
    throw new Error("broken");
  },
};

/** 1.3.6.1.4.1.99.2.1: columns 2 and 3; the third one lacks row 2. */
export const TABLE: Subtree<Toy> = {
  oid: arcs(1, 3, 6, 1, 4, 1, 99, 2, 1),
  objects: arcs(2, 3),
  nextRow: (toy, row) => toy.rows.find((next) => next > row) ?? 0,
  read(value, toy, object, row) {
    if (!toy.rows.includes(row) || (object === 3 && row === 2)) return;
    if (object === 2) value.gauge(100 * row);
    else value.identifier(arcs(1, 3, 6), row);
  },
};

export const SUBTREES: readonly Subtree<Toy>[] = [SNMP_GROUP, SCALARS, TABLE];

/** An agent without a socket. */
export class ToyAgent {
  readonly toy = new Toy();
  readonly responder: Responder<Toy>;

  constructor(subtrees: readonly Subtree<Toy>[] = SUBTREES) {
    const { toy } = this;
    this.responder = new Responder({ context: toy, subtrees, counters: toy.counters, community: "public" });
  }

  send(packet: Uint8Array): Answer | undefined {
    const length = this.responder.answer(packet);
    return length ? parse(this.responder.bytes.subarray(0, length)) : undefined;
  }

  ask(names: readonly string[], asked: Asked = {}): Answer {
    const answer = this.send(request(names, asked));
    if (!answer) throw new Error("no answer");
    return answer;
  }
}
