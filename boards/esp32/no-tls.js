/** In place of modules/tls-socket on a board whose memory has no room for a TLS handshake: MQTT says so when TLS is asked for. */
export default undefined;
