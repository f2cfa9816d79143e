/** A PC has no slot for an update. */
export default Object.freeze({
  open() {
    throw new Error("can't find partition");
  },
});
