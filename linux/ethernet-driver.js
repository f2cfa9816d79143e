/** The host's network has no driver to start; the MAC address is locally administered. */
const start = () => undefined;
const isStarted = () => true;
const mac = () => "02:00:5e:10:00:01";
export default Object.freeze({ start, isStarted, mac }, true);
