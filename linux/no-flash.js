/** A PC has no update slot. */
export default Object.freeze({
  open() {
    throw new Error("can't find partition");
  },
});
