/** As on a board without TLS. */
export default undefined;
