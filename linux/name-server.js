/** The program has the host's network, and asks no server for names. */
export function setNameServer() {}
