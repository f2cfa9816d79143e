import Timer from "timer";

const DOTTED = Object.freeze(["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "."], true);

/** A link that is always up; the MAC address is locally administered. No DNS: only numeric addresses resolve. */
const Net = {
  get(what) {
    if (what === "MAC") return "02:00:5E:10:00:01";
    if (what === "IP") return "127.0.0.1";
    return what === "DNS" ? ["127.0.0.53"] : undefined;
  },
  resolve(name, callback) {
    const known = [...name].every((character) => DOTTED.includes(character));
    Timer.set(() => callback(name, known ? name : undefined));
  },
};
export default Object.freeze(Net, true);
