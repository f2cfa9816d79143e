/**
 * Facts of the network interfaces, by the SDK's C. Without the SDK's name look-up, which calls lwIP from the script's task while lwIP's own
 * task uses the same lists: src/network/lookup.ts has it.
 */
export default class Net {
  static get(what, mode) {
    return mode === undefined ? native("xs_net_get").call(this, what) : native("xs_net_get").call(this, what, mode);
  }
}
