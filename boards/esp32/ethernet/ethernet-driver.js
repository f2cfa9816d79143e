/** See types/ethernet-driver.d.ts and ethernet.c. */
const start = (hostname) => native("xs_ethernet_start").call(undefined, hostname);
const isStarted = () => native("xs_ethernet_is_started").call(undefined);
const mac = () => native("xs_ethernet_read_mac").call(undefined);
export default Object.freeze({ start, isStarted, mac }, true);
