/** HTTP's own (RFC 9110 section 4.2.1), which an address need not name. */
export const HTTP_PORT = 80;

/** Where the page is: "http://192.168.1.20/"; with the port if it is not HTTP's own. */
export const pageAddress = (ip: string, port: number = HTTP_PORT): string =>
  `http://${ip}${port === HTTP_PORT ? "" : `:${port}`}/`;
