/** The program uses the host's network and queries no DNS server. */
export function setNameServer() {}
