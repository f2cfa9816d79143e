/** Of the firmware's HTTP server. */
export const HTTP_PORT = 80;
